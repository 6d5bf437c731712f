import { type Batch, BatchJob, type Statement } from '@po/database';
import type { Logger } from '@po/platform';
import { type AdoptedSettings, recomputeReminders } from '../domain/reminders/reminders.js';
import { HAS_REMINDERS } from '../lists/conditions.js';
import type { AdoptedReminderSettings } from '../store/adopted-reminder-settings.js';
import type { Databases } from '../store/databases.js';
import { remindersOf } from '../store/order-rows.js';
import { type OrderBatch, OrderBatches } from './order-batches.js';
import { type ReminderRow, SELECT_REMINDERS, saveReminders } from './reminder-rows.js';

const EVERY_MS = 20_000;
const FIRST_MS = 5_000;

/** Orders with due times of older settings. Skips orders that another replica or a change has locked. */
export const OUTDATED: Statement = {
  name: 'outdated-reminders',
  text: `${SELECT_REMINDERS} WHERE ${HAS_REMINDERS} AND o.reminders_generation < $1 AND o.id <> ALL ($3::integer[])
          ORDER BY o.reminders_generation LIMIT $2 FOR UPDATE OF o SKIP LOCKED`,
};

/** Recomputes the reminders of a batch of orders whose reminders are based on older settings. */
export async function recomputeOutdated(
  { internal }: Pick<Databases, 'internal'>,
  settings: AdoptedSettings,
  now: Date,
  { limit, without, onTaken }: OrderBatch,
): Promise<Batch> {
  return internal.transaction(null, async (send) => {
    const found = await send<ReminderRow>(OUTDATED, [settings.generation, limit, without]);
    onTaken(found.map(({ id }) => id));
    if (found.length === 0) return { done: 0, more: false };
    saveReminders(
      send,
      found.map((row) => ({ row, reminders: recomputeReminders(remindersOf(row), now, settings) })),
    );
    return { done: found.length, more: true };
  });
}

/** Recomputes the reminders of all orders after the settings have changed. */
export function reminderRecomputation(
  databases: Databases,
  reminders: AdoptedReminderSettings,
  logger: Logger,
  { firstMs = FIRST_MS }: { firstMs?: number } = {},
): BatchJob {
  const onSetAside = 'the reminders of an order could not be computed; continuing with the others';
  const batches = new OrderBatches({ logger, onSetAside });
  return new BatchJob({
    name: 'reminder_backlog',
    everyMs: EVERY_MS,
    firstMs,
    batch: async (rows) => {
      const done = await batches.run(rows, (batch) =>
        recomputeOutdated(databases, reminders.current, new Date(), batch),
      );
      return done ?? { done: 0, more: true };
    },
    logger,
  });
}
