import { migration } from '@po/database';

/**
 * Time of an order's newest message. The next message is later and has a higher id, even if its replica's clock is behind. Not backfilled:
 * only a clock difference longer than the upgrade could place a new message before an existing one.
 */
export const LAST_MESSAGE = migration('LastMessage1796600000000', async (runner) => {
  await runner.query('ALTER TABLE purchase_orders ADD COLUMN last_message_at timestamptz');
});
