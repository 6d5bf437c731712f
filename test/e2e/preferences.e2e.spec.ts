import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Preferences } from '@po/contracts';
import { type Api, apiClient } from '../support/api-client.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';

const PATH = '/me/preferences';
const CHOSEN: Preferences = {
  locale: 'zh',
  timeZone: 'Asia/Shanghai',
  mail: { TRANSITION: 'off', MESSAGE: 'digest', REMINDER: 'now' },
  digestAt: '18:30',
};

interface Refusal {
  code: string;
  errors: { pointer: string; message: string }[];
}

describe('preferences', () => {
  let user: Api;
  let other: Api;
  beforeEach(async () => {
    [user, other] = [await someone('buyer'), await someone('buyer')];
  });

  const someone = async (as: DemoUser, claims: Record<string, unknown> = {}) =>
    apiClient(readStack().gatewayUrl, await tokenOf(as, { sub: `preferences|${randomUUID()}`, ...claims }));
  const shown = async (api: Api) => {
    const { status, headers, body } = await api.get<Preferences>(PATH);
    return [status, headers.get('etag'), body];
  };
  const put = <Body = Preferences>(api: Api, body: unknown, ifMatch?: string) =>
    api.put<Body>(PATH, body, ifMatch === undefined ? {} : { 'if-match': ifMatch });

  it.each<DemoUser>(['vendor:ACME', 'buyer', 'admin', 'viewer'])(
    'of %s are the defaults, and then what they chose, for them alone',
    async (as) => {
      const api = await someone(as, { locale: 'zh-CN' });
      const [status, etag, defaults] = await shown(api);
      expect([status, etag, defaults]).toEqual([
        200,
        '"0"',
        {
          locale: 'zh',
          timeZone: 'UTC',
          mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'now' },
          digestAt: '08:00',
        },
      ]);
      const before = await shown(other);
      const stored = await put(api, CHOSEN, '"0"');
      expect([stored.status, stored.headers.get('etag'), stored.body]).toEqual([200, '"1"', CHOSEN]);
      expect(await shown(api)).toEqual([200, '"1"', CHOSEN]);
      expect(await shown(other)).toEqual(before);
      expect((await put(api, { ...CHOSEN, digestAt: '07:00' })).headers.get('etag')).toBe('"2"');
    },
  );

  it('are not replaced under a version that is not theirs: 412, nothing changed', async () => {
    await put(user, CHOSEN);
    const before = await shown(user);
    for (const ifMatch of ['"0"', '"2"', 'W/"1"']) {
      const refused = await put<Refusal>(user, { ...CHOSEN, locale: 'en' }, ifMatch);
      expect([refused.status, refused.headers.get('etag'), refused.body]).toEqual([
        412,
        '"1"',
        expect.objectContaining({ code: 'VERSION_MISMATCH', currentVersion: 1 }),
      ]);
    }
    expect(await shown(user)).toEqual(before);
  });

  it.each<[what: string, body: object, pointer: string, allowed: string]>([
    ['a time zone that is none', { ...CHOSEN, timeZone: 'Shanghai' }, '/timeZone', 'Asia/Shanghai'],
    ['a language that is not offered', { ...CHOSEN, locale: 'fr' }, '/locale', 'en or zh'],
    ['an hour that no day has', { ...CHOSEN, digestAt: '24:00' }, '/digestAt', '23:59'],
    ['a mode that is none', { ...CHOSEN, mail: { ...CHOSEN.mail, MESSAGE: 'later' } }, '/mail/MESSAGE', 'digest'],
    ['a kind that is none', { ...CHOSEN, mail: { ...CHOSEN.mail, NEWS: 'now' } }, '/mail/NEWS', ''],
    ['a kind that is missing', { ...CHOSEN, mail: { TRANSITION: 'off', MESSAGE: 'off' } }, '/mail/REMINDER', ''],
    ['a field that is unknown', { ...CHOSEN, color: 'red' }, '/color', ''],
    ['a part of the whole', { locale: 'en', timeZone: 'UTC', mail: CHOSEN.mail }, '/digestAt', ''],
  ])('are not replaced by %s: 400 says what is allowed, nothing changed', async (_what, body, pointer, allowed) => {
    const before = await shown(user);
    const refused = await put<Refusal>(user, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ pointer, message: expect.stringContaining(allowed) }),
    ]);
    expect(await shown(user)).toEqual(before);
  });
});
