import { Purge, type PurgeBatch, type Statement } from '@po/database';
import type { Logger } from '@po/platform';
import {
  type OrderReminders,
  type ReminderPolicy,
  followReminders,
  joinReminders,
  replanReminders,
} from '../domain/reminders.js';
import { REMINDED } from '../lists/conditions.js';
import type { Databases } from '../store/databases.js';
import { remindersOf } from '../store/reminder-columns.js';
import { type ReminderRow, SELECT_REMINDERS, saveReminders } from './reminder-rows.js';

const EVERY_MS = 20_000;
const FIRST_MS = 5_000;

type StaleRow = ReminderRow & { enteredAt: Date | null };

// Only of an order that has no reminders yet. Its first entry leads to the status in which it was created.
const ENTERED = `, CASE WHEN o.reminders_generation IS NULL THEN (
    SELECT max(h.occurred_at) FROM history h
     WHERE h.order_id = o.id AND h.from_status_id IS DISTINCT FROM h.to_status_id) END AS "enteredAt"`;

// What another replica works out, or somebody changes, is left to them.
const stale = (name: string, condition: string, order: string): Statement => ({
  name,
  text: `${SELECT_REMINDERS(ENTERED)} WHERE ${REMINDED} AND ${condition} ORDER BY ${order} LIMIT $2 FOR UPDATE OF o SKIP LOCKED`,
});

/** Orders that a version wrote or moved which knows no reminders. */
export const UNPLANNED = stale(
  'unplanned-reminders',
  `(o.reminders_status_id, o.reminders_xf_date) IS DISTINCT FROM (o.status_id, o.xf_date)
   AND coalesce(o.reminders_generation, 0) <= $1`,
  'o.id',
);
/** Orders whose due times are those of older settings. */
export const OUTDATED = stale('outdated-reminders', 'o.reminders_generation < $1', 'o.reminders_generation');

/** Works out anew the reminders of some orders that have none, or old ones, `rows` at most. */
export async function refreshReminders(
  { internal }: Pick<Databases, 'internal'>,
  policy: ReminderPolicy,
  now: Date,
  rows: number,
): Promise<PurgeBatch> {
  return internal.transaction(null, async (send) => {
    const unplanned = await send<StaleRow>(UNPLANNED, [policy.generation, rows]);
    const found = unplanned.length > 0 ? unplanned : await send<StaleRow>(OUTDATED, [policy.generation, rows]);
    if (found.length === 0) return { deleted: 0, more: false };
    saveReminders(
      send,
      found.map((row) => ({ row, reminders: refreshed(row, policy, now) })),
      now,
    );
    return { deleted: found.length, more: true };
  });
}

function refreshed(row: StaleRow, policy: ReminderPolicy, now: Date): OrderReminders {
  const { statusId, xfDate, createdAt, updatedAt } = row;
  const stored = remindersOf(row);
  if (!stored) return joinReminders(row, { enteredAt: row.enteredAt ?? createdAt, createdAt }, now, policy);
  const isOfRow = stored.statusId === statusId && stored.xfDate === xfDate;
  return isOfRow ? replanReminders(stored, now, policy) : followReminders(stored, row, updatedAt, policy);
}

/**
 * Works out the reminders of orders that were there before them, that the version before writes while replicas are replaced, and of all
 * orders when the settings have changed.
 */
export const reminderUpkeep = (databases: Databases, policy: ReminderPolicy, logger: Logger): Purge =>
  new Purge({
    name: 'reminder_backlog',
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    batch: (rows) => refreshReminders(databases, policy, new Date(), rows),
    logger,
  });
