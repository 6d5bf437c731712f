import { randomUUID } from 'node:crypto';
import type { Actor } from '@po/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actors } from '@po/testing/actors';
import { inboxForTests, userSeen, sourceConflict, transition } from '../fixtures/inbox.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

describe('the user directory', () => {
  const inbox = inboxForTests();
  let user: Actor;
  let vendorCode: string;
  beforeEach(() => {
    vendorCode = randomUUID();
    user = { ...actors.acme, sub: randomUUID(), vendorCode };
  });

  const directory = async (sub: string) =>
    (await inbox.inspect('SELECT role, vendor_code, email, last_seq FROM users WHERE user_id = $1', [sub]))[0];
  const historyIds = async (actor: Actor) => (await inbox.list(actor)).items.map(({ historyId }) => historyId);

  it('gives a first-seen user the last 30 days, newest first, unread and not published', async () => {
    const old = sourceConflict({ vendorCode, occurredAt: daysAgo(30.01) });
    const first = sourceConflict({ vendorCode, occurredAt: daysAgo(29.99) });
    const second = sourceConflict({ vendorCode, occurredAt: daysAgo(2) });
    const foreign = sourceConflict({ vendorCode: 'SOMEBODY', occurredAt: daysAgo(1) });
    const own = transition({ action: 'RECALL', vendorCode, actorId: user.sub, actorRole: 'BUYER' });
    for (const event of [second, old, foreign, first, own]) await inbox.announce(event);
    const outbox = await inbox.inspect('SELECT position FROM outbox');
    await inbox.see(userSeen(user));
    const { items, total, unread } = await inbox.list(user);
    expect(items.map(({ historyId }) => historyId)).toEqual([second.id, first.id]);
    expect(items.map(({ createdAt }) => createdAt)).toEqual([second.occurredAt, first.occurredAt]);
    expect([total, unread]).toEqual([2, 2]);
    expect(await inbox.inspect('SELECT position FROM outbox')).toEqual(outbox);
    const live = sourceConflict({ vendorCode });
    await inbox.announce(live);
    expect(await historyIds(user)).toEqual([live.id, second.id, first.id]);
  });

  it('gives a first-seen user at most the newest 200 notifications', async () => {
    const events = Array.from({ length: 205 }, (_, index) =>
      sourceConflict({ vendorCode, occurredAt: daysAgo(20 - index / 24) }),
    );
    await Promise.all(events.map((event) => inbox.announce(event)));
    await inbox.see(userSeen(user));
    const newest = events.slice(-200).map(({ id }) => id);
    expect(await historyIds(user)).toEqual(newest.toReversed());
    expect(await directory(user.sub)).toMatchObject({ last_seq: 200 });
  });

  it('gives a first-seen buyer notifications of their own orders and of orders without a known buyer', async () => {
    const buyer: Actor = { ...actors.buyer, sub: randomUUID(), email: `${vendorCode}@Example.com` };
    const own = transition({ vendorCode, buyerEmail: `${vendorCode}@example.COM` });
    const orphan = transition({ vendorCode });
    const known: Actor = { ...buyer, sub: randomUUID(), email: `known-${vendorCode}@example.com` };
    await inbox.see(userSeen(known));
    const others = transition({ vendorCode, buyerEmail: known.email });
    const imported = transition({ action: 'IMPORT', vendorCode, buyerEmail: own.buyerEmail, actorId: null });
    const approved = transition({ action: 'APPROVE', vendorCode, buyerEmail: own.buyerEmail, actorRole: 'ADMIN' });
    for (const event of [own, orphan, others, imported, approved]) await inbox.announce(event);
    await inbox.see(userSeen(buyer));
    const made: (string | null)[] = [own, orphan, others, imported, approved].map(({ id }) => id);
    const got = (await historyIds(buyer)).filter((id): id is string => made.includes(id));
    expect(got.toSorted()).toEqual([own.id, orphan.id, approved.id].toSorted());
    expect(await historyIds(known)).toEqual(expect.arrayContaining([others.id, orphan.id]));
  });

  it.each(['ADMIN', 'VIEWER'] as const)('stores a first-seen %s, who gets no notifications', async (role) => {
    await inbox.announce(sourceConflict({ vendorCode }));
    const internal: Actor = { ...user, role, vendorCode: null };
    await inbox.see(userSeen(internal));
    expect(await directory(user.sub)).toMatchObject({ role, last_seq: 0 });
    expect(await inbox.list(internal)).toEqual({ items: [], total: 0, unread: 0 });
  });

  it('keeps the newest description of a user and ignores repeated and late ones', async () => {
    const first = userSeen(user);
    const moved = userSeen({ ...user, vendorCode: 'ELSEWHERE', email: 'new@example.com' });
    await inbox.see(moved);
    const known = await directory(user.sub);
    await inbox.announce(sourceConflict({ vendorCode }));
    for (const event of [first, moved, first]) await inbox.see(event);
    expect(await directory(user.sub)).toEqual(known);
    expect(known).toMatchObject({ vendor_code: 'ELSEWHERE', email: 'new@example.com' });
    await inbox.see(userSeen(user));
    expect(await directory(user.sub)).toMatchObject({ vendor_code: vendorCode, last_seq: 0 });
  });

  it('stores users who are announced again unchanged in one transaction', async () => {
    const users = Array.from({ length: 20 }, (): Actor => ({ ...user, sub: randomUUID() }));
    for (const known of users) await inbox.see(userSeen(known));
    await Promise.all(users.map((known) => inbox.see(userSeen(known))));
    expect(await inbox.inspect('SELECT DISTINCT xmin FROM users WHERE vendor_code = $1', [vendorCode])).toHaveLength(1);
  });

  it('keeps the newest of the descriptions of a user that arrive together, in any order, beside a first-seen user', async () => {
    const event = sourceConflict({ vendorCode });
    await inbox.announce(event);
    const changes: Partial<Actor>[] = [
      { email: 'a@x.example' },
      { vendorCode: 'ELSEWHERE' },
      { email: 'b@x.example' },
      { role: 'VIEWER', vendorCode: null },
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...changes.keys()], { minLength: 1 }), async (order) => {
        const known = { ...user, sub: randomUUID() };
        const newcomer = { ...user, sub: randomUUID() };
        await inbox.see(userSeen(known));
        const seen = changes.map((change) => userSeen({ ...known, ...change }));
        const arriving = [...order.flatMap((at) => seen[at] ?? []), userSeen(newcomer)];
        await Promise.all(arriving.map((each) => inbox.see(each)));
        const { role, vendorCode: vendor_code, email } = { ...known, ...changes[Math.max(...order)] };
        expect(await directory(known.sub)).toEqual({ role, vendor_code, email, last_seq: 1 });
        expect(await historyIds(newcomer)).toEqual([event.id]);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the claims of the newest token and ignores an older token used later', async () => {
    const issuedAt = (second: number) => ({ issuedAt: `2026-03-02T08:00:0${second}.000Z` });
    const moved = { ...user, vendorCode: 'ELSEWHERE' };
    const newest = userSeen(moved, issuedAt(3));
    await inbox.see(userSeen(moved, issuedAt(2)));
    await inbox.see(userSeen(user, issuedAt(1)));
    expect(await directory(user.sub)).toMatchObject({ vendor_code: 'ELSEWHERE' });
    await inbox.see(userSeen(user, issuedAt(2)));
    expect(await directory(user.sub)).toMatchObject({ vendor_code: vendorCode });
    await inbox.see(newest);
    expect(await directory(user.sub)).toMatchObject({ vendor_code: 'ELSEWHERE' });
    await inbox.remove(user.sub);
    await inbox.see(userSeen(user, { seenAt: daysAgo(-1), ...issuedAt(1) }));
    expect(await directory(user.sub)).toMatchObject({ vendor_code: vendorCode });
  });

  it('gives users who arrive during fan-outs every notification exactly once', async () => {
    const events = Array.from({ length: 60 }, () => sourceConflict({ vendorCode }));
    const users = Array.from({ length: 6 }, (): Actor => ({ ...user, sub: randomUUID() }));
    await Promise.all(
      events.flatMap((event, index) => {
        const arriving = index % 10 === 5 ? users[(index - 5) / 10] : undefined;
        if (!arriving) return [inbox.announce(event)];
        const announcement = userSeen(arriving);
        return [inbox.announce(event), inbox.see(announcement), inbox.see(announcement)];
      }),
    );
    for (const arrived of users) {
      const ids = await historyIds(arrived);
      expect(ids).toHaveLength(events.length);
      expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
      expect(await directory(arrived.sub)).toMatchObject({ last_seq: events.length });
    }
  });
});
