import { randomUUID } from 'node:crypto';
import { type Actor, TOPICS, type UserDeleted } from '@po/contracts';
import { userHash } from '@po/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { type OpenInbox, openInbox, seen, sourceConflict } from '../fixtures/inbox.js';

const MINUTE_MS = 60_000;
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

interface OutboxRow {
  key: string;
  messages: { topic: string; headers: Record<string, string>; value: string }[];
}

describe('a user who is deleted', () => {
  let inbox: OpenInbox;
  let user: Actor;
  let colleague: Actor;
  let vendorCode: string;
  beforeAll(async () => {
    inbox = await openInbox();
  });
  afterAll(() => inbox.close());
  beforeEach(async () => {
    vendorCode = randomUUID();
    user = { ...actors.acme, sub: randomUUID(), vendorCode };
    colleague = { ...user, sub: randomUUID() };
    for (const actor of [user, colleague]) await inbox.see(seen(actor));
  });

  const tell = async (fields: Parameters<typeof sourceConflict>[0] = {}) => {
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

  it('keeps no notification and gets no more, also not on the topic; colleagues keep theirs', async () => {
    const first = await tell();
    expect([await unsent(user), await unsent(colleague)]).toEqual([1, 1]);
    expect(await inbox.remove(user.sub)).toBe(204);
    const second = await tell();
    expect(await inbox.list(user)).toEqual({ items: [], total: 0, unread: 0 });
    expect(await historyIds(colleague)).toEqual([second, first]);
    expect([await unsent(user), await unsent(colleague)]).toEqual([0, 2]);
    expect(await directory(user.sub)).toEqual({ role: '', vendor_code: null, email: null, locale: null });
  });

  it('leaves no inbox with their role and vendor, nor makes one by marking all afterwards', async () => {
    await tell();
    await inbox.mark(user, 'all');
    await inbox.remove(user.sub);
    await inbox.mark(user, 'all');
    const left = ['inboxes', 'watermarks', 'notifications'].map((table) =>
      inbox.inspect(`SELECT 1 FROM ${table} WHERE user_id = $1`, [user.sub]),
    );
    expect(await Promise.all(left)).toEqual([[], [], []]);
  });

  it('is deleted again without error, and one who was never seen is not found', async () => {
    expect([await inbox.remove(user.sub), await inbox.remove(user.sub)]).toEqual([204, 204]);
    await expect(inbox.remove(randomUUID(), actors.admin, 0)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });

  it('is deleted also where their announcement arrives behind the request', async () => {
    const newcomer: Actor = { ...user, sub: randomUUID() };
    const removed = inbox.remove(newcomer.sub);
    await inbox.see(seen(newcomer));
    expect(await removed).toBe(204);
    expect(await directory(newcomer.sub)).toMatchObject({ role: '' });
  });

  it.each(['VENDOR', 'BUYER', 'VIEWER'] as const)('is not deleted by a %s, who learns nothing', async (role) => {
    const other = { ...user, role };
    for (const sub of [user.sub, colleague.sub, randomUUID()]) {
      await expect(inbox.remove(sub, other)).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
    }
    const told = await tell();
    expect(await historyIds(user)).toEqual([told]);
  });

  it('starts anew when they come back, with nothing from before', async () => {
    await tell();
    await inbox.mark(user, 'all');
    const before = await tell({ occurredAt: minutesFromNow(-1) });
    await inbox.remove(user.sub);
    const away = await tell({ occurredAt: minutesFromNow(1) });
    await inbox.see(seen(user, { seenAt: minutesFromNow(2) }));
    const late = await tell({ occurredAt: minutesFromNow(-2) });
    const live = await tell({ occurredAt: minutesFromNow(3) });
    expect(await historyIds(user)).toEqual([live, away]);
    expect(await inbox.list(user)).toMatchObject({ total: 2, unread: 2 });
    expect(await historyIds(colleague)).toEqual(expect.arrayContaining([before, away, late, live]));
  });

  it('stays deleted when the directory is delivered again, and gateways are asked to announce them anew', async () => {
    const older = seen(user);
    await inbox.see(older);
    await inbox.remove(user.sub);
    await eventually('gateways are told', () => inbox.deleted.includes(userHash(user.sub)));
    inbox.deleted.length = 0;
    await inbox.see(older);
    await eventually('they are told again', () => inbox.deleted.includes(userHash(user.sub)));
    await tell();
    expect(await historyIds(user)).toEqual([]);
  });

  it('is announced in the place of what the directory said of them, and once more beside it', async () => {
    await inbox.remove(user.sub);
    const records = (await outbox()).filter(({ messages }) => messages[0]?.value.includes(user.sub));
    expect(records.map(({ key }) => key)).toEqual([user.sub, `${user.sub}\tdeleted`]);
    for (const { messages } of records) {
      expect(messages).toEqual([
        expect.objectContaining({
          topic: TOPICS.users,
          headers: expect.objectContaining({ ce_type: 'user.deleted.v1' }),
        }),
      ]);
      expect(JSON.parse(messages[0]?.value ?? '')).toEqual({ sub: user.sub, deletedAt: expect.any(String) });
    }
  });

  describe('in a directory that is built anew of its topic', () => {
    const HOURS = 60;
    const deletedAt = minutesFromNow(-2 * HOURS);
    const deletion = (): UserDeleted => ({ sub: user.sub, deletedAt });
    let came: string;
    beforeEach(() => {
      user = { ...user, sub: randomUUID() };
      came = minutesFromNow(-1 * HOURS);
    });
    const replay = async (...records: ('before' | 'just before' | 'deletion' | 'return')[]) => {
      // A gateway whose clock is ahead: the deletion has the instant at which the user was last seen.
      const seenAt = { before: minutesFromNow(-4 * HOURS), 'just before': deletedAt, return: came };
      const gone = await tell({ occurredAt: minutesFromNow(-3 * HOURS) });
      const kept = await tell({ occurredAt: minutesFromNow(-1.5 * HOURS) });
      for (const record of records) {
        if (record === 'deletion') await inbox.seeDeleted(deletion());
        else await inbox.see(seen(user, { seenAt: seenAt[record] }));
      }
      return { gone, kept };
    };

    it.each([
      [['deletion']],
      [['before', 'deletion']],
      [['deletion', 'before']],
      [['just before', 'deletion']],
      [['deletion', 'just before']],
      [['before', 'deletion', 'deletion', 'before']],
    ] as const)('is unknown but for the deletion: %j', async (records) => {
      await replay(...records);
      expect(await historyIds(user)).toEqual([]);
      expect(await directory(user.sub)).toMatchObject({ role: '', email: null });
      expect(await inbox.remove(user.sub)).toBe(204);
    });

    it.each([
      [['deletion', 'return']],
      [['return', 'deletion']],
      [['before', 'return', 'deletion']],
      [['before', 'deletion', 'return', 'deletion']],
    ] as const)('has what is of after the deletion, if they came back: %j', async (records) => {
      const { kept } = await replay(...records);
      const late = await tell({ occurredAt: minutesFromNow(-2.5 * HOURS) });
      expect(await historyIds(user)).toEqual([kept]);
      expect(await historyIds(colleague)).toContain(late);
      expect(await directory(user.sub)).toMatchObject({ role: 'VENDOR', email: user.email });
    });
  });
});
