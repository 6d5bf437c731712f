import type { ReminderRule } from '@po/contracts';
import type { Statement } from '@po/database';
import { INSERT_OUTBOX_ENTRIES, serializeOutboxEntries } from '@po/messaging';
import { type AdoptedSettings, dueSteps } from '../domain/reminders/reminders.js';
import { HAS_REMINDERS } from '../lists/conditions.js';
import type { Databases } from '../store/databases.js';
import { remindersOf } from '../store/order-rows.js';
import type { OrderBatch } from './order-batches.js';
import { reminderEntryOf } from './reminder-record.js';
import { NEXT_DUE_AT, type ReminderRow, SELECT_REMINDERS, saveReminders } from './reminder-rows.js';

// Skips orders that another replica or a change has locked; the change decides what is due afterwards. Orders of other settings wait for
// the recomputation. Unnamed, so that it is planned for the actual limit: with a generic plan, each batch may read and sort all due orders.
export const DUE: Statement = {
  name: '',
  text: `${SELECT_REMINDERS}
    WHERE ${HAS_REMINDERS} AND o.reminders_generation = $1 AND ${NEXT_DUE_AT} <= $2 AND o.id <> ALL ($3::integer[])
    ORDER BY ${NEXT_DUE_AT} LIMIT $4 FOR UPDATE OF o SKIP LOCKED`,
};
export const OLDEST_DUE: Statement = {
  name: 'oldest-due-reminder',
  text: `SELECT ${NEXT_DUE_AT} AS "dueAt" FROM purchase_orders o
    WHERE ${HAS_REMINDERS} AND o.reminders_generation = $1 AND ${NEXT_DUE_AT} <= $2 ORDER BY ${NEXT_DUE_AT} LIMIT 1`,
};

interface DueBatch extends OrderBatch {
  now: Date;
}

/**
 * Creates the latest due reminder of each rule for a batch of orders, longest due first. The outbox record and the order's next due time
 * are stored together or not at all. Returns the rule of each created reminder, and whether more orders may be due.
 */
export async function createDueReminders(
  { internal }: Pick<Databases, 'internal'>,
  settings: AdoptedSettings,
  { now, limit, without, onTaken }: DueBatch,
): Promise<{ created: ReminderRule[]; more: boolean }> {
  return internal.transaction(null, async (send) => {
    const rows = await send<ReminderRow>(DUE, [settings.generation, now, without, limit]);
    onTaken(rows.map(({ id }) => id));
    if (rows.length === 0) return { created: [], more: false };
    const taken = rows.map((row) => ({ row, ...dueSteps(remindersOf(row), now, settings) }));
    saveReminders(
      send,
      taken.map(({ row, after }) => ({ row, reminders: after })),
    );
    const entries = taken.filter(({ due }) => due.length > 0).map(({ row, due }) => reminderEntryOf(row, due));
    if (entries.length > 0) void send(INSERT_OUTBOX_ENTRIES, [serializeOutboxEntries(entries)]);
    const created = taken.flatMap(({ due }) => due.map(({ rule }) => rule));
    return { created, more: rows.length === limit };
  });
}

/** The due time of the oldest due reminder that was not created yet; null if there is none. */
export async function oldestDue(
  { internal }: Pick<Databases, 'internal'>,
  { generation }: AdoptedSettings,
  now: Date,
): Promise<Date | null> {
  const [oldest] = await internal.read<{ dueAt: Date }>(null, OLDEST_DUE, [generation, now]);
  return oldest?.dueAt ?? null;
}
