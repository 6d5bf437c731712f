import { randomUUID } from 'node:crypto';
import { type Actor, type NotificationCreated, type NotificationKind, type Preferences, ROLES } from '@po/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { inboxForTests, reminder, userSeen, sourceConflict } from '../fixtures/inbox.js';

const CHOSEN: Preferences = {
  locale: 'en',
  timeZone: 'Asia/Shanghai',
  mail: { TRANSITION: 'off', MESSAGE: 'digest', REMINDER: 'digest' },
  digestAt: '18:30',
};
const DEFAULTS: Preferences = {
  locale: 'zh',
  timeZone: 'UTC',
  mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'now' },
  digestAt: '08:00',
};

describe('preferences', () => {
  const inbox = inboxForTests();
  let user: Actor;
  beforeEach(() => {
    user = { ...actors.acme, sub: randomUUID(), vendorCode: randomUUID(), locale: 'zh-CN' };
  });

  const shown = async (actor: Actor) => {
    const { body, headers } = await inbox.preferences(actor);
    return [headers.etag, body];
  };

  it.each(ROLES)('of a %s without stored ones are the defaults, in the language of the token', async (role) => {
    expect(await shown({ ...user, role })).toEqual(['"0"', DEFAULTS]);
    expect(await shown({ ...user, role, locale: null })).toEqual(['"0"', { ...DEFAULTS, locale: 'en' }]);
  });

  it('apply only to their user, whatever later tokens contain', async () => {
    const other: Actor = { ...user, sub: randomUUID() };
    expect(await inbox.choose(user, CHOSEN)).toEqual({ status: 200, headers: { etag: '"1"' }, body: CHOSEN });
    expect(await shown({ ...user, role: 'BUYER', vendorCode: null, locale: 'fr' })).toEqual(['"1"', CHOSEN]);
    expect(await shown(other)).toEqual(['"0"', DEFAULTS]);
  });

  it.each(['"0"', '*', null])('are replaced by the first write with If-Match %s', async (ifMatch) => {
    await inbox.choose(user, CHOSEN, ifMatch);
    expect(await shown(user)).toEqual(['"1"', CHOSEN]);
  });

  it('reject a write with an outdated version and stay unchanged', async () => {
    const stale = { code: 'VERSION_MISMATCH', members: { currentVersion: 0 }, options: { headers: { etag: '"0"' } } };
    await expect(inbox.choose(user, CHOSEN, '"1"')).rejects.toMatchObject(stale);
    expect(await shown(user)).toEqual(['"0"', DEFAULTS]);
    await inbox.choose(user, CHOSEN);
    const refused = inbox.choose(user, { ...CHOSEN, digestAt: '07:00' }, '"0"');
    await expect(refused).rejects.toMatchObject({ code: 'VERSION_MISMATCH', members: { currentVersion: 1 } });
    expect(await shown(user)).toEqual(['"1"', CHOSEN]);
  });

  it('accept only one of two concurrent first writes', async () => {
    const writes = ['07:00', '09:00'].map((digestAt) => inbox.choose(user, { ...CHOSEN, digestAt }, '"0"'));
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await shown(user))[0]).toBe('"1"');
  });

  it('are replaced once per idempotency key, which is refused for another body', async () => {
    const key = { idempotencyKey: 'key-1' };
    const first = await inbox.choose(user, CHOSEN, '"0"', key);
    await inbox.choose(user, { ...CHOSEN, digestAt: '07:00' });
    const headers = { etag: '"1"', 'idempotency-replayed': 'true' };
    expect(await inbox.choose(user, CHOSEN, '"0"', key)).toEqual({ ...first, headers });
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
    await expect(inbox.choose(user, { ...CHOSEN, digestAt: '09:00' }, '"0"', key)).rejects.toMatchObject(reused);
    expect(await shown(user)).toEqual(['"2"', { ...CHOSEN, digestAt: '07:00' }]);
  });

  it("keep the user's other choices and the last token's language when the link in a mail turns kinds off", async () => {
    await inbox.see(userSeen(user));
    const turnOff = (kinds: NotificationKind[]) =>
      inbox.turnOffMail({ ...user, role: 'VIEWER', vendorCode: null, locale: null }, { userId: user.sub, kinds });
    expect(await turnOff(['REMINDER'])).toMatchObject({ status: 204 });
    const mail = { ...DEFAULTS.mail, REMINDER: 'off' as const };
    expect(await shown(user)).toEqual(['"1"', { ...DEFAULTS, mail }]);
    await inbox.choose(user, CHOSEN);
    await turnOff(['REMINDER', 'MESSAGE']);
    expect(await shown(user)).toEqual([
      '"3"',
      { ...CHOSEN, mail: { TRANSITION: 'off', MESSAGE: 'off', REMINDER: 'off' } },
    ]);
    // Anyone with the link can send it repeatedly; repetitions store nothing.
    const stored = () => inbox.inspect('SELECT * FROM view_commands WHERE user_id = $1', [user.sub]);
    const before = await stored();
    await turnOff(['REMINDER']);
    expect([(await shown(user))[0], await stored()]).toEqual(['"3"', before]);
  });

  it('cannot be turned off by another user: 403, nothing changed', async () => {
    const other: Actor = { ...user, sub: randomUUID() };
    await expect(inbox.turnOffMail(other, { userId: user.sub, kinds: ['REMINDER'] })).rejects.toMatchObject({
      code: 'ROLE_NOT_ALLOWED',
    });
    for (const actor of [user, other]) expect(await shown(actor)).toEqual(['"0"', DEFAULTS]);
  });

  it('determine the language and delivery settings of later notification records', async () => {
    const vendorCode = user.vendorCode ?? '';
    const deliveries = async () => {
      const rows = await inbox.inspect<{ value: string }>(
        `SELECT messages -> 0 ->> 'value' AS value FROM outbox ORDER BY position`,
      );
      return rows
        .map(({ value }) => JSON.parse(value) as NotificationCreated)
        .filter(({ userId }) => userId === user.sub)
        .map(({ kind, locale, delivery }) => ({ kind, locale, ...delivery }));
    };
    await inbox.see(userSeen(user));
    await inbox.announce(sourceConflict({ vendorCode }));
    await inbox.choose(user, CHOSEN);
    await inbox.announce(sourceConflict({ vendorCode }));
    await inbox.remind(reminder({ vendorCode }));
    const chosen = { locale: 'en', timeZone: 'Asia/Shanghai', digestAt: '18:30' };
    expect(await deliveries()).toEqual([
      { kind: 'TRANSITION', locale: 'zh-CN', mail: 'digest', timeZone: 'UTC', digestAt: '08:00' },
      { kind: 'TRANSITION', mail: 'off', ...chosen },
      { kind: 'REMINDER', mail: 'digest', ...chosen },
    ]);
  });

  it('stored before a kind was added use its default', async () => {
    await inbox.choose(user, CHOSEN);
    await inbox.inspect(`UPDATE preferences SET mail = mail - 'MESSAGE' WHERE user_id = $1`, [user.sub]);
    expect(await shown(user)).toEqual(['"1"', { ...CHOSEN, mail: { ...CHOSEN.mail, MESSAGE: 'now' } }]);
  });

  it('are deleted with their user, even during a directory rebuild, unless they are newer than the deletion', async () => {
    const other: Actor = { ...user, sub: randomUUID() };
    for (const actor of [user, other]) {
      await inbox.see(userSeen(actor));
      await inbox.choose(actor, CHOSEN);
    }
    await inbox.remove(user.sub);
    expect([await shown(user), await shown(other)]).toEqual([
      ['"0"', DEFAULTS],
      ['"1"', CHOSEN],
    ]);
    const deletedAt = new Date(Date.now() - 60_000).toISOString();
    await inbox.seeDeleted({ sub: other.sub, deletedAt });
    expect((await shown(other))[0]).toBe('"1"');
    await inbox.seeDeleted({ sub: other.sub, deletedAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await shown(other))[0]).toBe('"0"');
  });

  it('of a deleted user are not changed by the link in an old mail', async () => {
    await inbox.see(userSeen(user));
    await inbox.remove(user.sub);
    expect(await inbox.turnOffMail(user, { userId: user.sub, kinds: ['MESSAGE'] })).toMatchObject({ status: 204 });
    expect(await inbox.inspect('SELECT 1 FROM preferences WHERE user_id = $1', [user.sub])).toEqual([]);
    await inbox.see(userSeen(user, { seenAt: new Date(Date.now() + 60_000).toISOString() }));
    expect(await shown(user)).toEqual(['"0"', DEFAULTS]);
  });
});
