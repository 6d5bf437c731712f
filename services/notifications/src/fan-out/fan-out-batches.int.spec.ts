import { randomUUID } from 'node:crypto';
import type { Actor } from '@po/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actors } from '@po/testing/actors';
import { type OpenInbox, openInbox, userSeen, sourceConflict, transition } from '../fixtures/inbox.js';
import type { Transition } from './events.js';

const STEPS = fc.array(fc.record({ vendor: fc.nat(2), event: fc.nat(7), process: fc.nat(1) }), { maxLength: 40 });

describe('transitions stored in batches', () => {
  let inbox: OpenInbox;
  let other: OpenInbox;
  let vendorCode: string;
  let users: Actor[];
  beforeAll(async () => {
    inbox = await openInbox();
    other = await openInbox({ sharedWith: inbox });
  });
  afterAll(async () => {
    await other.close();
    await inbox.close();
  });
  beforeEach(async () => {
    vendorCode = randomUUID();
    await inbox.inspect('TRUNCATE outbox');
    users = Array.from({ length: 3 }, (): Actor => ({ ...actors.acme, sub: randomUUID(), vendorCode }));
    for (const user of users) await inbox.see(userSeen(user));
  });

  const notificationsOf = (actor: Actor) =>
    inbox.inspect<{ seq: number; history_id: string; created_at: Date }>(
      'SELECT seq, history_id, created_at FROM notifications WHERE user_id = $1 ORDER BY seq',
      [actor.sub],
    );
  const lastSeq = async (actor: Actor) =>
    (await inbox.inspect<{ last_seq: number }>('SELECT last_seq FROM users WHERE user_id = $1', [actor.sub]))[0]
      ?.last_seq;
  const published = async () => {
    const rows = await inbox.inspect<{ key: string; version: number; value: string }>(
      `SELECT key, version, messages -> 0 ->> 'value' AS value FROM outbox ORDER BY position`,
    );
    return rows.map(({ key, version, value }) => ({
      key,
      version,
      ...(JSON.parse(value) as { userId: string; historyId: string }),
    }));
  };
  const sequence = (events: readonly unknown[]) => events.map((_, index) => index + 1);

  it('reach a user in the order of their arrival, are numbered without gaps and are published with their number', async () => {
    const events = Array.from({ length: 30 }, (_, index) => sourceConflict({ vendorCode, poRef: `PO-${index}` }));
    await Promise.all(events.map((event) => inbox.announce(event)));
    const announced = await published();
    for (const user of users) {
      const rows = await notificationsOf(user);
      expect(rows.map(({ history_id }) => history_id)).toEqual(events.map(({ id }) => id));
      expect(rows.map(({ seq }) => seq)).toEqual(sequence(events));
      expect(await lastSeq(user)).toBe(events.length);
      const own = announced.filter(({ userId }) => userId === user.sub).toSorted((a, b) => a.version - b.version);
      expect(own.map(({ version, historyId, key }) => [version, historyId, key])).toEqual(
        events.map(({ id, poRef }, index) => [index + 1, id, poRef]),
      );
    }
  });

  /** Adds users of the vendor. */
  const seeMany = async (count: number) => {
    const many = Array.from({ length: count }, (): Actor => ({ ...actors.acme, sub: randomUUID(), vendorCode }));
    for (const user of many) await inbox.see(userSeen(user));
    return many;
  };

  it('are delivered by several statements if they have many recipients, without gaps', async () => {
    const many = await seeMany(300);
    const events = Array.from({ length: 12 }, () => sourceConflict({ vendorCode }));
    await Promise.all(events.map((event) => inbox.announce(event)));
    for (const user of [...users, ...many.slice(-3)]) {
      const rows = await notificationsOf(user);
      expect(rows.map(({ history_id }) => history_id)).toEqual(events.map(({ id }) => id));
      expect(rows.map(({ seq }) => seq)).toEqual(sequence(events));
      expect(new Set(rows.map(({ created_at }) => created_at.getTime())).size).toBe(2);
    }
    const ids = new Set(events.map(({ id }) => id));
    const announced = (await published()).filter(({ historyId }) => ids.has(historyId));
    expect(announced).toHaveLength(events.length * (users.length + many.length));
  });

  it('are split over several transactions if they have very many recipients, in order', async () => {
    const many = await seeMany(297);
    const events = Array.from({ length: 40 }, () => sourceConflict({ vendorCode }));
    await Promise.all(events.map((event) => inbox.announce(event)));
    for (const user of [...users, ...many.slice(-3)]) {
      const rows = await notificationsOf(user);
      expect(rows.map(({ history_id }) => history_id)).toEqual(events.map(({ id }) => id));
      expect(rows.map(({ seq }) => seq)).toEqual(sequence(events));
    }
    const transactions = await inbox.inspect<{ entries: number }>(
      `SELECT count(*)::int AS entries FROM transitions WHERE history_id = ANY ($1) GROUP BY xmin::text`,
      [events.map(({ id }) => id)],
    );
    expect(Math.max(...transactions.map(({ entries }) => entries))).toBeLessThanOrEqual(10_000 / 300);
  });

  it('share one transaction if each has few recipients, regardless of the total', async () => {
    const events = Array.from({ length: 60 }, () => sourceConflict({ vendorCode: randomUUID() }));
    for (const event of events)
      for (const sub of [randomUUID(), randomUUID(), randomUUID()])
        await inbox.see(userSeen({ ...actors.acme, sub, vendorCode: event.vendorCode }));
    await Promise.all(events.map((event) => inbox.announce(event)));
    const transactions = await inbox.inspect<{ entries: number }>(
      `SELECT count(*)::int AS entries FROM transitions WHERE history_id = ANY ($1) GROUP BY xmin::text`,
      [events.map(({ id }) => id)],
    );
    // The first transition may get a transaction of its own. All that arrive during it share the next one.
    expect(Math.max(...transactions.map(({ entries }) => entries))).toBeGreaterThanOrEqual(59);
  });

  it('are stored once if a batch contains them twice, with the content of the first', async () => {
    const event = sourceConflict({ vendorCode, comment: 'first' });
    const known = sourceConflict({ vendorCode });
    await inbox.announce(known);
    await Promise.all([event, { ...event, comment: 'second' }, known].map((one) => inbox.announce(one)));
    for (const user of users) {
      expect((await notificationsOf(user)).map(({ history_id }) => history_id)).toEqual([known.id, event.id]);
      expect(await lastSeq(user)).toBe(2);
    }
    const stored = await inbox.inspect('SELECT comment FROM transitions WHERE history_id = $1', [event.id]);
    expect(stored).toEqual([{ comment: 'first' }]);
    expect((await published()).filter(({ historyId }) => historyId === event.id)).toHaveLength(users.length);
  });

  it('each have their own recipients: the vendor, the own buyer or every buyer', async () => {
    const buyer: Actor = { ...actors.buyer, sub: randomUUID(), email: `${vendorCode}@example.com` };
    await inbox.see(userSeen(buyer));
    const own = transition({ vendorCode, buyerEmail: buyer.email?.toUpperCase() ?? null });
    const imported = transition({ action: 'IMPORT', vendorCode, buyerEmail: buyer.email, actorId: null });
    const orphan = transition({ vendorCode, buyerEmail: '' });
    await Promise.all([own, imported, orphan].map((event) => inbox.announce(event)));
    expect((await notificationsOf(buyer)).slice(-2).map(({ history_id }) => history_id)).toEqual([own.id, orphan.id]);
    for (const user of users)
      expect((await notificationsOf(user)).map(({ history_id }) => history_id)).toEqual([imported.id]);
  });

  it('are stored although PostgreSQL refuses one of them, which alone fails', async () => {
    const events = Array.from({ length: 6 }, () => sourceConflict({ vendorCode }));
    const poison = sourceConflict({ vendorCode, comment: 'a \0 is no text' });
    const outcomes = await Promise.allSettled(events.toSpliced(3, 0, poison).map((event) => inbox.announce(event)));
    expect(outcomes.map(({ status }) => status)).toEqual(events.map(() => 'fulfilled').toSpliced(3, 0, 'rejected'));
    expect(outcomes[3]).toMatchObject({ reason: { code: '22P05' } });
    for (const user of users) {
      expect((await notificationsOf(user)).map(({ history_id }) => history_id)).toEqual(events.map(({ id }) => id));
      expect(await lastSeq(user)).toBe(events.length);
    }
  });

  it('result in complete, ordered inboxes when two processes store them concurrently and some arrive twice', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const run = randomUUID();
        const actorsOf = await Promise.all(
          [0, 1, 2].map(async (vendor) => {
            const actor: Actor = { ...actors.acme, sub: `${run}-${vendor}`, vendorCode: `${run}-${vendor}` };
            await inbox.see(userSeen(actor));
            return actor;
          }),
        );
        // Recipient of every vendor's conflicts: the batches of both processes share this user.
        const buyer: Actor = { ...actors.buyer, sub: `${run}-buyer`, email: `${run}@example.com` };
        await inbox.see(userSeen(buyer));
        const events = new Map<string, Transition>();
        const eventOf = (vendor: number, event: number) => {
          const id = `${run}-${vendor}-${event}`;
          const made = sourceConflict({ id, vendorCode: `${run}-${vendor}`, buyerEmail: buyer.email });
          return events.get(id) ?? events.set(id, made).get(id) ?? made;
        };
        await Promise.all(
          steps.map(({ vendor, event, process }) => [inbox, other][process]?.announce(eventOf(vendor, event))),
        );
        const expectInbox = async (actor: Actor, ids: string[]) => {
          // Ignores what the backfill of a new buyer finds from earlier tests.
          const rows = (await notificationsOf(actor)).slice(-ids.length || Infinity);
          expect(rows.map(({ history_id }) => history_id).toSorted()).toEqual(ids.toSorted());
          const before = (rows[0]?.seq ?? 1) - 1;
          expect(rows.map(({ seq }) => seq - before)).toEqual(sequence(ids));
          const instants = rows.map(({ created_at }) => created_at.getTime());
          expect(instants).toEqual(instants.toSorted((a, b) => a - b));
        };
        await expectInbox(buyer, [...events.keys()]);
        for (const actor of actorsOf) {
          const own = [...events.values()].filter((event) => event.vendorCode === actor.vendorCode);
          await expectInbox(
            actor,
            own.map(({ id }) => id),
          );
        }
        const announced = (await published()).filter(({ historyId }) => historyId.startsWith(run));
        expect(announced).toHaveLength(events.size * 2);
      }),
      { numRuns: 15 },
    );
  });
});
