import { randomUUID } from 'node:crypto';
import type { Actor } from '@po/contracts';
import type { Batch } from '@po/database';
import { createLogger } from '@po/platform';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { inboxForTests, openInbox, userSeen, sourceConflict } from '../fixtures/inbox.js';
import { TRY_LOCK_PURGE } from '../store/locks.js';
import { ENTRY_RETENTION_DAYS, MAX_ENTRY_AGE_DAYS } from '../store/dedup-window.js';
import {
  type PurgeRows,
  markedNotifications,
  oldNotifications,
  readNotifications,
  oldViewCommands,
  purgesOf,
  unneededTransitions,
} from './purges.js';

const ROWS = 500;
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

describe('retention', () => {
  const inbox = inboxForTests();
  let user: Actor;
  let colleague: Actor;
  beforeEach(async () => {
    user = { ...actors.acme, sub: randomUUID(), vendorCode: randomUUID() };
    colleague = { ...user, sub: randomUUID() };
    for (const actor of [user, colleague]) await inbox.see(userSeen(actor));
  });

  const notify = async (...poRefs: string[]) => {
    for (const poRef of poRefs) await inbox.announce(sourceConflict({ poRef, vendorCode: user.vendorCode ?? '' }));
  };
  const left = async (actor: Actor) => {
    const { items, total, unread } = await inbox.list(actor);
    return [items.map(({ poRef }) => poRef), total, unread];
  };
  const idOf = async (poRef: string) => (await inbox.list(user)).items.find((item) => item.poRef === poRef)?.id ?? '';
  /** Moves this event the given days into the past. */
  const age = (table: 'notifications' | 'watermarks', column: string, days: number, where: string) =>
    inbox.inspect(
      `UPDATE ${table} SET ${column} = ${column} - $1::int * interval '1 day' WHERE user_id = $2 AND ${where}`,
      [days, user.sub],
    );
  const run = async (batch: PurgeRows, rows = ROWS): Promise<Batch[]> => {
    const batches: Batch[] = [];
    do batches.push(await batch(rows));
    while (batches.at(-1)?.more);
    return batches;
  };

  it("deletes this user's notifications marked individually long enough ago, and adjusts the counts", async () => {
    await notify('PO-1', 'PO-2', 'PO-3');
    await inbox.mark(user, await idOf('PO-1'));
    await inbox.mark(user, await idOf('PO-2'));
    await age('notifications', 'read_at', 91, `id = '${await idOf('PO-1')}'`);
    await age('notifications', 'read_at', 89, `id = '${await idOf('PO-2')}'`);
    await run(readNotifications(inbox.databases, 90));
    expect(await left(user)).toEqual([['PO-3', 'PO-2'], 2, 1]);
    expect(await left(colleague)).toEqual([['PO-3', 'PO-2', 'PO-1'], 3, 3]);
  });

  it('deletes notifications covered by an expired mark-all, and then the mark', async () => {
    await notify('PO-1', 'PO-2');
    await inbox.mark(user, 'all');
    await notify('PO-3');
    await inbox.mark(user, 'all', { commandId: 'later' });
    await notify('PO-4');
    await age('watermarks', 'at', 91, `command_id <> 'later'`);
    await age('watermarks', 'at', 89, `command_id = 'later'`);
    const before = await inbox.list(user);
    const batches = await run(markedNotifications(inbox.databases, 90), 1);
    expect(batches.map(({ done }) => done)).toEqual([1, 2, 0]);
    expect(await inbox.list(user)).toEqual({ items: before.items.slice(0, 2), total: 2, unread: 1 });
    const marks = await inbox.inspect('SELECT command_id FROM watermarks WHERE user_id = $1', [user.sub]);
    expect(marks).toEqual([{ command_id: 'later' }]);
  });

  it('deletes old notifications whether unread, marked individually or marked by mark-all', async () => {
    await notify('PO-1', 'PO-2', 'PO-3');
    await inbox.mark(user, 'all');
    await notify('PO-4', 'PO-5', 'PO-6', 'PO-7');
    await inbox.mark(user, await idOf('PO-4'));
    await age('notifications', 'created_at', 366, 'seq IN (1, 2, 4, 5)');
    await age('notifications', 'created_at', 364, 'seq IN (3, 6)');
    await run(oldNotifications(inbox.databases, 365));
    expect(await left(user)).toEqual([['PO-7', 'PO-6', 'PO-3'], 3, 2]);
  });

  it('deletes in batches, also from two replicas, and nothing twice', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => notify(`PO-${index}`)));
    await age('notifications', 'created_at', 366, 'true');
    const other = await openInbox({ sharedWith: inbox });
    const sides = [inbox, other].map(({ databases }) => run(oldNotifications(databases, 365), 7));
    const batches = (await Promise.all(sides)).flat();
    await other.close();
    expect(batches.reduce((sum, { done }) => sum + done, 0)).toBe(40);
    expect(Math.max(...batches.map(({ done }) => done))).toBe(7);
    expect(await left(user)).toEqual([[], 0, 0]);
  });

  it('deletes nothing while another replica runs a batch, and continues after it', async () => {
    await notify('PO-1');
    await age('notifications', 'created_at', 366, 'true');
    const purge = oldNotifications(inbox.databases, 365);
    const other = await openInbox({ sharedWith: inbox });
    await other.databases.internal.transaction(null, async (send) => {
      await send(TRY_LOCK_PURGE);
      expect(await purge(ROWS)).toEqual({ done: 0, more: true });
    });
    await other.close();
    expect(await purge(ROWS)).toEqual({ done: 1, more: false });
  });

  const known = async (historyId: string) =>
    (await inbox.inspect('SELECT 1 FROM transitions WHERE history_id = $1', [historyId])).length === 1;
  const notificationCount = async (historyId: string) =>
    (await inbox.inspect('SELECT 1 FROM notifications WHERE history_id = $1', [historyId])).length;
  const entryOf = async (days: number) => {
    const event = sourceConflict({ vendorCode: user.vendorCode ?? '', occurredAt: daysAgo(days) });
    await inbox.announce(event);
    return event;
  };
  /** Moves an entry the given days into the past, as if it had been announced then. */
  const ageEntry = (historyId: string, days: number) =>
    inbox.inspect(
      `UPDATE transitions SET occurred_at = occurred_at - $2::int * interval '1 day' WHERE history_id = $1`,
      [historyId, days],
    );

  it('keeps the copy of an entry until its last notification is deleted', async () => {
    const event = await entryOf(0);
    const recent = await entryOf(0);
    await ageEntry(event.id, 400);
    const transitions = unneededTransitions(inbox.databases);
    await run(transitions, 3);
    expect(await known(event.id)).toBe(true);
    for (const actor of [user, colleague]) {
      expect(await notificationCount(event.id)).toBeGreaterThan(0);
      await inbox.inspect('DELETE FROM notifications WHERE history_id = ANY ($1) AND user_id = $2', [
        [event.id, recent.id],
        actor.sub,
      ]);
      await run(transitions, 3);
      expect(await known(event.id)).toBe(actor === user);
    }
    expect(await known(recent.id)).toBe(true);
  });

  it('checks every copy, however small the batches are', async () => {
    const events = await Promise.all([1, 2, 3, 4, 5].map(() => entryOf(0)));
    for (const { id } of events) await ageEntry(id, ENTRY_RETENTION_DAYS + 1);
    await inbox.inspect('DELETE FROM notifications WHERE user_id = ANY ($1)', [[user.sub, colleague.sub]]);
    for (const rows of [1, 2]) {
      const batches = await run(unneededTransitions(inbox.databases), rows);
      expect(Math.max(...batches.map(({ done }) => done))).toBeLessThanOrEqual(rows);
      expect(batches.at(-1)?.more).toBe(false);
    }
    for (const { id } of events) expect(await known(id)).toBe(false);
  });

  it('creates no notifications for a redelivered entry, whether its copy is still stored or deleted', async () => {
    const event = await entryOf(0);
    const age = async (days: number) => {
      await ageEntry(event.id, days);
      await inbox.inspect('DELETE FROM notifications WHERE history_id = $1', [event.id]);
      await run(unneededTransitions(inbox.databases));
    };
    const again = async (days: number) => {
      await inbox.announce({ ...event, occurredAt: daysAgo(days) });
      return notificationCount(event.id);
    };
    await age(MAX_ENTRY_AGE_DAYS - 1);
    expect([await known(event.id), await again(MAX_ENTRY_AGE_DAYS - 1)]).toEqual([true, 0]);
    await age(2);
    expect([await known(event.id), await again(MAX_ENTRY_AGE_DAYS + 1)]).toEqual([false, 0]);
    expect(await known(event.id)).toBe(false);
  });

  it('notifies users of an entry that is late by less than the dedup window', async () => {
    expect(await notificationCount((await entryOf(MAX_ENTRY_AGE_DAYS - 1)).id)).toBe(2);
    expect(await notificationCount((await entryOf(MAX_ENTRY_AGE_DAYS + 0.01)).id)).toBe(0);
  });

  it('deletes idempotency records after 24 hours', async () => {
    for (const age of ['25 hours', '23 hours']) {
      await inbox.inspect(`INSERT INTO view_commands SELECT $1 || $2, $1, '', '', '{}', now() - $2::interval`, [
        user.sub,
        age,
      ]);
    }
    await run(oldViewCommands(inbox.databases));
    const left = await inbox.inspect('SELECT key_hash FROM view_commands WHERE user_id = $1', [user.sub]);
    expect(left).toEqual([{ key_hash: `${user.sub}23 hours` }]);
  });

  it('runs all purges in the background of the service', async () => {
    const event = await entryOf(0);
    await notify('PO-1', 'PO-2', 'PO-3');
    await inbox.mark(user, 'all');
    await inbox.mark(user, await idOf('PO-3'));
    await ageEntry(event.id, 400);
    await inbox.inspect(
      `UPDATE notifications SET created_at = created_at - interval '400 days' WHERE history_id = $1`,
      [event.id],
    );
    await age('watermarks', 'at', 91, 'true');
    const goesOnUntil = async (label: string, probe: () => Promise<boolean>) => {
      const silent = createLogger('test', 'silent');
      const purges = purgesOf(inbox.databases, { read: 90, unread: 365 }, silent, { firstMs: 0 });
      for (const purge of purges) purge.start();
      await eventually(label, probe).finally(() => Promise.all(purges.map((purge) => purge.stop())));
    };
    await goesOnUntil('the notifications and the mark are gone', async () => {
      const [row] = await inbox.inspect<{ own: number; marks: number }>(
        `SELECT (SELECT count(*)::int FROM notifications WHERE user_id = $1) AS own,
                (SELECT count(*)::int FROM watermarks WHERE user_id = $1) AS marks`,
        [user.sub],
      );
      return row?.own === 0 && row.marks === 0 && (await notificationCount(event.id)) === 0;
    });
    // The round of the copies may already be over; a started replica begins with one.
    await goesOnUntil('the copy is gone', async () => !(await known(event.id)));
    expect(await left(colleague)).toEqual([['PO-3', 'PO-2', 'PO-1'], 3, 3]);
  });
});
