import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Preferences } from '@po/contracts';
import { type Api, apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
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
  beforeEach(async () => {
    user = apiClient(readStack().gatewayUrl, await tokenOf('buyer', { sub: `preferences|${randomUUID()}` }));
  });

  const shown = async () => {
    const { status, headers, body } = await user.get<Preferences>(PATH);
    return [status, headers.get('etag'), body];
  };

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
    const before = await shown();
    const refused = await user.put<Refusal>(PATH, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ pointer, message: expect.stringContaining(allowed) }),
    ]);
    expect(await shown()).toEqual(before);
  });
});
