import { randomUUID } from 'node:crypto';
import type { Actor, NotificationsSince } from '@po/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actors } from '@po/testing/actors';
import { inboxForTests, openInbox, userSeen, sourceConflict } from '../fixtures/inbox.js';

describe('notifications since a position', () => {
  const inbox = inboxForTests();
  let user: Actor;
  // Each test has its own user and vendor, so that it does not see data of other tests.
  beforeEach(async () => {
    user = { ...actors.acme, sub: randomUUID(), vendorCode: randomUUID() };
    await inbox.see(userSeen(user));
  });

  const notify = async (count: number, to = user) => {
    for (let nth = 0; nth < count; nth += 1) {
      await inbox.announce(sourceConflict({ poRef: `PO-${nth}`, vendorCode: to.vendorCode ?? '' }));
    }
  };
  const idsOf = ({ items }: NotificationsSince) => items.map(({ notification }) => notification.id);
  const idsIn = async (actor: Actor) => (await inbox.list(actor)).items.map(({ id }) => id).toReversed();
  /** Follows the answers until there are no more. */
  const allSince = async (actor: Actor, after: string | number, limit?: number) => {
    const ids: string[] = [];
    for (let place = after; ;) {
      const answer = await inbox.since(actor, place, limit);
      ids.push(...idsOf(answer));
      if (!answer.more) return { ids, at: answer.at };
      place = answer.at;
    }
  };

  it('are none since now, with the unread count', async () => {
    await notify(3);
    await inbox.mark(user, (await idsIn(user))[0] ?? '');
    expect(await inbox.since(user, null)).toEqual({ items: [], at: 3, more: false, unread: 2, reset: false });
    const stranger = { ...user, sub: randomUUID() };
    expect(await inbox.since(stranger, null)).toEqual({ items: [], at: 0, more: false, unread: 0, reset: false });
  });

  it('are the newer ones of the list, for every position and page size', async () => {
    await notify(7);
    const { items } = await inbox.list(user);
    const ids = await idsIn(user);
    for (const [index, id] of ids.entries()) {
      for (const limit of [1, 2, 3, 50]) {
        expect(await allSince(user, id, limit)).toEqual({ ids: ids.slice(index + 1), at: 7 });
      }
    }
    const since = await inbox.since(user, ids[0] ?? '');
    expect(since.items.map(({ notification }) => notification)).toEqual(items.toReversed().slice(1));
    expect(since.items.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('reset for a position that is not in this inbox', async () => {
    await notify(2);
    const other = { ...actors.bolt, sub: randomUUID(), vendorCode: randomUUID() };
    await inbox.see(userSeen(other));
    await notify(1, other);
    const [theirs = ''] = await idsIn(other);
    const [deleted = ''] = await idsIn(user);
    await inbox.inspect('DELETE FROM notifications WHERE id = $1', [deleted]);
    const reset = { items: [], at: 2, more: false, unread: 1, reset: true };
    for (const after of [
      theirs,
      deleted,
      randomUUID(),
      '',
      'no-id',
      "'",
      '\u0000',
      'x'.repeat(10_000),
      3,
      2 ** 31 - 1,
    ]) {
      expect(await inbox.since(user, after)).toEqual(reset);
    }
    expect(await inbox.since(user, 2)).toMatchObject({ at: 2, reset: false });
  });

  it('reset for a client that is more than 1,000 behind, but not for 1,000', async () => {
    await inbox.inspect(
      `WITH announced AS (
         INSERT INTO transitions
         SELECT $2 || n, 'PO', 'PO', $2, 'Acme', NULL, 'APPROVE', 200, 300, 'Confirmed', '已确认', '#000', NULL, NULL, NULL, 'SYSTEM', now(),
                true, 'none', 'TRANSITION', NULL, NULL, NULL, NULL, false FROM generate_series(1, 1002) n
       ), counted AS (UPDATE users SET last_seq = 1002 WHERE user_id = $1)
       INSERT INTO notifications (user_id, audience, seq, history_id, kind, created_at)
       SELECT $1, 'VENDOR:' || $2, n, $2 || n, 'TRANSITION', now() FROM generate_series(1, 1002) n`,
      [user.sub, user.vendorCode],
    );
    const named = await inbox.inspect<{ id: string }>(
      'SELECT id FROM notifications WHERE user_id = $1 ORDER BY seq LIMIT 2',
      [user.sub],
    );
    const [first = '', second = ''] = named.map(({ id }) => id);
    expect(await inbox.since(user, first)).toEqual({ items: [], at: 1_002, more: false, unread: 1_002, reset: true });
    const { ids, at } = await allSince(user, second);
    expect([ids.length, new Set(ids).size, at]).toEqual([1_000, 1_000, 1_002]);
  });

  it("exclude the old vendor's and include the new vendor's after a user moved", async () => {
    await notify(2);
    const [, last = ''] = await idsIn(user);
    const moved = { ...user, vendorCode: randomUUID() };
    await inbox.see(userSeen(moved));
    expect(await inbox.since(moved, last)).toEqual({ items: [], at: 2, more: false, unread: 0, reset: true });
    expect(await inbox.since(moved, 0)).toEqual({ items: [], at: 2, more: false, unread: 0, reset: false });
    await notify(1, moved);
    await notify(1, user);
    const [theirs = ''] = await idsIn(moved);
    expect(await allSince(moved, 0)).toEqual({ ids: [theirs], at: 3 });
    expect(await allSince({ ...user, role: 'ADMIN', vendorCode: null }, 0)).toEqual({ ids: [], at: 3 });
    await inbox.see(userSeen(user));
    // The same position as for a client without one; otherwise a resumed stream would never catch up with a new one.
    expect(await allSince(user, last)).toEqual({ ids: [], at: (await inbox.since(user, null)).at });
  });

  it('reach every client exactly once and in order while many are stored concurrently', async () => {
    const buyers = Array.from({ length: 2 }, (): Actor => ({
      ...actors.buyer,
      sub: randomUUID(),
      email: randomUUID(),
    }));
    for (const buyer of buyers) await inbox.see(userSeen(buyer));
    const follower = async (after: number | string, limit: number, isOver: () => boolean) => {
      const ids: string[] = [];
      for (let place = after; ;) {
        // Read before the request: all that is stored by then is in the answer, or `more` is set.
        const over = isOver();
        const answer = await inbox.since(user, place, limit);
        ids.push(...idsOf(answer));
        if (over && !answer.more) return ids;
        place = answer.at;
      }
    };
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
      async (bursts, limits) => {
        const { at } = await inbox.since(user, null);
        let over = false;
        const following = limits.map((limit) => follower(at, limit, () => over));
        // A second service, because a single one would store the batches one after another.
        const second = await openInbox({ migrated: false, sharedWith: inbox });
        for (const burst of bursts) {
          const event = () => sourceConflict({ vendorCode: user.vendorCode ?? '' });
          await Promise.all(Array.from({ length: burst }, (_, nth) => [inbox, second][nth % 2]?.announce(event())));
        }
        await second.close();
        over = true;
        const expected = (await idsIn(user)).slice(-bursts.reduce((sum, burst) => sum + burst, 0));
        for (const ids of await Promise.all(following)) expect(ids.slice(-expected.length)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });
});
