import type { ReminderRule } from '@po/contracts';
import type { Statement } from '@po/database';
import { INSERT_OUTBOX_ENTRIES, outboxJson } from '@po/messaging';
import { type ReminderPolicy, takeDue } from '../domain/reminders/reminders.js';
import { REMINDED } from '../lists/conditions.js';
import type { Databases } from '../store/databases.js';
import { remindersOf } from '../store/reminder-columns.js';
import type { OrderBatch } from './order-batches.js';
import { reminderEntryOf } from './reminder-record.js';
import { NEXT_DUE_AT, type ReminderRow, SELECT_REMINDERS, saveReminders } from './reminder-rows.js';

// What another replica takes, or somebody changes, is left to them: the change decides what is due afterwards. Orders of other settings
// wait for the upkeep. Planned for the limit that there is: for any, PostgreSQL may read and sort all that are due for each batch.
export const DUE: Statement = {
  name: '',
  text: `${SELECT_REMINDERS}
    WHERE ${REMINDED} AND o.reminders_generation = $1 AND ${NEXT_DUE_AT} <= $2 AND o.id <> ALL ($3::integer[])
    ORDER BY ${NEXT_DUE_AT} LIMIT $4 FOR UPDATE OF o SKIP LOCKED`,
};
export const OLDEST_DUE: Statement = {
  name: 'oldest-due-reminder',
  text: `SELECT ${NEXT_DUE_AT} AS "dueAt" FROM purchase_orders o
    WHERE ${REMINDED} AND o.reminders_generation = $1 AND ${NEXT_DUE_AT} <= $2 ORDER BY ${NEXT_DUE_AT} LIMIT 1`,
};

interface DueBatch extends OrderBatch {
  now: Date;
}

/**
 * Creates the latest due reminder of each rule for some orders, the longest due first: with its record in the outbox and the order's next
 * due time, or not at all. The rules created, one for each reminder, and whether orders may be left.
 */
export async function createDueReminders(
  { internal }: Pick<Databases, 'internal'>,
  policy: ReminderPolicy,
  { now, limit, without, onTaken }: DueBatch,
): Promise<{ created: ReminderRule[]; more: boolean }> {
  return internal.transaction(null, async (send) => {
    const rows = await send<ReminderRow>(DUE, [policy.generation, now, without, limit]);
    onTaken(rows.map(({ id }) => id));
    if (rows.length === 0) return { created: [], more: false };
    const taken = rows.map((row) => ({ row, ...takeDue(remindersOf(row), now, policy) }));
    saveReminders(
      send,
      taken.map(({ row, after }) => ({ row, reminders: after })),
      now,
    );
    const entries = taken.filter(({ due }) => due.length > 0).map(({ row, due }) => reminderEntryOf(row, due));
    if (entries.length > 0) void send(INSERT_OUTBOX_ENTRIES, [outboxJson(entries)]);
    const created = taken.flatMap(({ due }) => due.map(({ rule }) => rule));
    return { created, more: rows.length === limit };
  });
}

/** When the longest due reminder that was not created yet was due, or null. */
export async function oldestDue(
  { internal }: Pick<Databases, 'internal'>,
  { generation }: ReminderPolicy,
  now: Date,
): Promise<Date | null> {
  const [oldest] = await internal.read<{ dueAt: Date }>(null, OLDEST_DUE, [generation, now]);
  return oldest?.dueAt ?? null;
}
