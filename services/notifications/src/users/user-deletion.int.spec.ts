import { randomUUID } from 'node:crypto';
import { type Actor, TOPICS, type UserDeleted } from '@po/contracts';
import { userHash } from '@po/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { inboxForTests, userSeen, sourceConflict } from '../fixtures/inbox.js';
import { LOCK_DIRECTORY } from '../store/locks.js';
import { applyDeletion } from './user-deletion.js';

const MINUTE_MS = 60_000;
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

interface OutboxRow {
  key: string;
  messages: { topic: string; headers: Record<string, string>; value: string }[];
}

describe('a deleted user', () => {
  const inbox = inboxForTests();
  let user: Actor;
  let colleague: Actor;
  let vendorCode: string;
  beforeEach(async () => {
    vendorCode = randomUUID();
    user = { ...actors.acme, sub: randomUUID(), vendorCode };
    colleague = { ...user, sub: randomUUID() };
    for (const actor of [user, colleague]) await inbox.see(userSeen(actor));
  });

  const notify = async (fields: Parameters<typeof sourceConflict>[0] = {}) => {
    const event = sourceConflict({ vendorCode, ...fields });
    await inbox.announce(event);
    return event.id;
  };
  const historyIds = async (actor: Actor) => (await inbox.list(actor)).items.map(({ historyId }) => historyId);
  const outbox = () => inbox.inspect<OutboxRow>('SELECT key, messages FROM outbox ORDER BY position');
  const unsent = async (actor: Actor) =>
    (await outbox()).filter(
      ({ messages }) =>
        messages[0]?.topic === TOPICS.notifications &&
        (JSON.parse(messages[0].value) as { userId: string }).userId === actor.sub,
    ).length;
  const directory = async (sub: string) =>
    (await inbox.inspect('SELECT role, vendor_code, email, locale FROM users WHERE user_id = $1', [sub]))[0];

  it('loses all notifications and gets no new ones, not even on the topic; colleagues keep theirs', async () => {
    const first = await notify();
    expect([await unsent(user), await unsent(colleague)]).toEqual([1, 1]);
    expect(await inbox.remove(user.sub)).toMatchObject({ status: 204 });
    const second = await notify();
    expect(await inbox.list(user)).toEqual({ items: [], total: 0, unread: 0 });
    expect(await historyIds(colleague)).toEqual([second, first]);
    expect([await unsent(user), await unsent(colleague)]).toEqual([0, 2]);
    expect(await directory(user.sub)).toEqual({ role: '', vendor_code: null, email: null, locale: null });
  });

  it('leaves no inbox that reveals role and vendor, and marking all creates none: 503 at the deadline', async () => {
    await notify();
    await inbox.mark(user, 'all');
    await inbox.remove(user.sub);
    await expect(inbox.mark(user, 'all', { deadline: 0 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const left = ['inboxes', 'watermarks', 'notifications'].map((table) =>
      inbox.inspect(`SELECT 1 FROM ${table} WHERE user_id = $1`, [user.sub]),
    );
    expect(await Promise.all(left)).toEqual([[], [], []]);
  });

  it.each([
    ['by an ADMIN', () => inbox.remove(user.sub)],
    ['by a record of the directory', () => inbox.seeDeleted({ sub: user.sub, deletedAt: minutesFromNow(1) })],
  ])('has 30 s to lose a large inbox if deleted %s', async (_how, remove) => {
    await notify();
    await inbox.inspect(`
      CREATE TABLE limits (value text);
      CREATE FUNCTION note_limit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN INSERT INTO limits VALUES (current_setting('statement_timeout')); RETURN NULL; END $$;
      CREATE TRIGGER note_limit AFTER DELETE ON notifications EXECUTE FUNCTION note_limit()`);
    try {
      await remove();
      expect(await inbox.inspect('SELECT value FROM limits')).toEqual([{ value: '30s' }]);
    } finally {
      await inbox.inspect('DROP FUNCTION note_limit CASCADE; DROP TABLE limits');
    }
  });

  it('can be deleted again, but a user who was never seen is not found', async () => {
    const { body } = await inbox.remove(user.sub);
    expect(await inbox.remove(user.sub)).toEqual({ status: 204, headers: {}, body });
    await expect(inbox.remove(randomUUID(), actors.admin, { deadline: 0 })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
  });

  it('who returned is not deleted again by a repetition with the same key', async () => {
    const [first, key] = [{ commandId: 'command-1', idempotencyKey: 'key-1' }, { idempotencyKey: 'key-1' }];
    const done = await inbox.remove(user.sub, actors.admin, first);
    expect(done).toMatchObject({ status: 204, headers: {} });
    await inbox.see(userSeen(user, { seenAt: minutesFromNow(1) }));
    const replayed = { ...done, headers: { 'idempotency-replayed': 'true' } };
    expect(await inbox.remove(user.sub, actors.admin, key)).toEqual(replayed);
    expect(await inbox.remove(user.sub, actors.admin, first)).toEqual(done);
    expect(await directory(user.sub)).toMatchObject({ role: 'VENDOR' });
    const others = [
      inbox.remove(user.sub, { ...actors.admin, sub: 'u-other' }, key),
      inbox.remove(colleague.sub, actors.admin, key),
    ];
    for (const reply of await Promise.all(others)) expect(reply.headers).toEqual({});
    expect(await directory(user.sub)).toMatchObject({ role: '' });
  });

  it('may be an ADMIN who deleted themselves, once per key', async () => {
    const admin: Actor = { ...actors.admin, sub: randomUUID() };
    await inbox.see(userSeen(admin));
    const key = { idempotencyKey: 'key-1' };
    await inbox.remove(admin.sub, admin, key);
    expect((await inbox.remove(admin.sub, admin, key)).headers).toEqual({ 'idempotency-replayed': 'true' });
  });

  it('is deleted even if their announcement arrives after the request', async () => {
    const newcomer: Actor = { ...user, sub: randomUUID() };
    // A busy machine may take longer than the wait: its clock stands still until the announcement.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const removed = inbox.remove(newcomer.sub);
    await inbox.see(userSeen(newcomer)).finally(() => clock.mockRestore());
    expect(await removed).toMatchObject({ status: 204 });
    expect(await directory(newcomer.sub)).toMatchObject({ role: '' });
  });

  it.each(['VENDOR', 'BUYER', 'VIEWER'] as const)(
    'cannot be deleted by a %s: 403 for known and unknown ids',
    async (role) => {
      const other = { ...user, role };
      for (const sub of [user.sub, colleague.sub, randomUUID()]) {
        await expect(inbox.remove(sub, other)).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
      }
      const notified = await notify();
      expect(await historyIds(user)).toEqual([notified]);
    },
  );

  it('who returns starts with an empty inbox and gets nothing from before the deletion', async () => {
    await notify();
    await inbox.mark(user, 'all');
    const before = await notify({ occurredAt: minutesFromNow(-1) });
    await inbox.remove(user.sub);
    const away = await notify({ occurredAt: minutesFromNow(1) });
    await inbox.see(userSeen(user, { seenAt: minutesFromNow(2) }));
    const late = await notify({ occurredAt: minutesFromNow(-2) });
    const live = await notify({ occurredAt: minutesFromNow(3) });
    expect(await historyIds(user)).toEqual([live, away]);
    expect(await inbox.list(user)).toMatchObject({ total: 2, unread: 2 });
    expect(await historyIds(colleague)).toEqual(expect.arrayContaining([before, away, late, live]));
  });

  it('who returns while the deletion is being stored gets what happened since', async () => {
    await notify();
    const away = await notify({ occurredAt: minutesFromNow(1) });
    let returned: Promise<void> | undefined;
    await inbox.databases.internal.transaction(null, async (send) => {
      await send(LOCK_DIRECTORY);
      returned = inbox.see(userSeen(user, { seenAt: minutesFromNow(2) }));
      await eventually('the announcement waits', async () => {
        const waiting = await inbox.inspect(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                                                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
        return waiting.length === 1;
      });
      await applyDeletion(send, { sub: user.sub, deletedAt: minutesFromNow(0.5) });
    });
    await returned;
    expect(await historyIds(user)).toEqual([away]);
  });

  it('stays deleted when old directory records are redelivered, and gateways are asked for a new announcement', async () => {
    const older = userSeen(user);
    await inbox.see(older);
    await inbox.remove(user.sub);
    await eventually('gateways are notified', () => inbox.deleted.includes(userHash(user.sub)));
    inbox.deleted.length = 0;
    await inbox.see(older);
    await eventually('gateways are notified again', () => inbox.deleted.includes(userHash(user.sub)));
    await notify();
    expect(await historyIds(user)).toEqual([]);
  });

  it('is announced under the key of their directory record and once more under a key of its own', async () => {
    const { body } = await inbox.remove(user.sub);
    expect(body).toEqual({ sub: user.sub, deletedAt: expect.any(String) });
    const records = (await outbox()).filter(({ messages }) => messages[0]?.value.includes(user.sub));
    expect(records.map(({ key }) => key)).toEqual([user.sub, `${user.sub}\tdeleted`]);
    for (const { messages } of records) {
      expect(messages).toEqual([
        expect.objectContaining({
          topic: TOPICS.users,
          headers: expect.objectContaining({ ce_type: 'user.deleted.v1' }),
        }),
      ]);
      expect(JSON.parse(messages[0]?.value ?? '')).toEqual(body);
    }
  });

  describe('in a directory rebuilt from its topic', () => {
    const HOURS = 60;
    const deletedAt = minutesFromNow(-2 * HOURS);
    const deletion = (): UserDeleted => ({ sub: user.sub, deletedAt });
    let came: string;
    beforeEach(() => {
      user = { ...user, sub: randomUUID() };
      came = minutesFromNow(-1 * HOURS);
    });
    const replay = async (...records: ('before' | 'just before' | 'deletion' | 'return')[]) => {
      // The clock of a gateway is ahead: the deletion has the instant at which the user was last seen.
      const seenAt = { before: minutesFromNow(-4 * HOURS), 'just before': deletedAt, return: came };
      const deleted = await notify({ occurredAt: minutesFromNow(-3 * HOURS) });
      const kept = await notify({ occurredAt: minutesFromNow(-1.5 * HOURS) });
      for (const record of records) {
        if (record === 'deletion') await inbox.seeDeleted(deletion());
        else await inbox.see(userSeen(user, { seenAt: seenAt[record] }));
      }
      return { deleted, kept };
    };

    it.each([
      [['deletion']],
      [['before', 'deletion']],
      [['deletion', 'before']],
      [['just before', 'deletion']],
      [['deletion', 'just before']],
      [['before', 'deletion', 'deletion', 'before']],
    ] as const)('has nothing but the deletion after the records %j', async (records) => {
      await replay(...records);
      expect(await historyIds(user)).toEqual([]);
      expect(await directory(user.sub)).toMatchObject({ role: '', email: null });
      expect(await inbox.remove(user.sub)).toMatchObject({ status: 204 });
    });

    it.each([
      [['deletion', 'return']],
      [['return', 'deletion']],
      [['before', 'return', 'deletion']],
      [['before', 'deletion', 'return', 'deletion']],
    ] as const)(
      'who returned has only notifications from after the deletion, after the records %j',
      async (records) => {
        const { kept } = await replay(...records);
        const late = await notify({ occurredAt: minutesFromNow(-2.5 * HOURS) });
        expect(await historyIds(user)).toEqual([kept]);
        expect(await historyIds(colleague)).toContain(late);
        expect(await directory(user.sub)).toMatchObject({ role: 'VENDOR', email: user.email });
      },
    );
  });
});
