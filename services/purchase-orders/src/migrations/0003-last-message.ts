import { migration } from '@po/database';

/**
 * When the newest message about an order was written: the next one is later, whatever its clock says, and has a higher id. Not filled in:
 * only a clock that is ahead by more than the upgrade takes would put a message before one that was there.
 */
export const LAST_MESSAGE = migration('LastMessage1796600000000', async (runner) => {
  await runner.query('ALTER TABLE purchase_orders ADD COLUMN last_message_at timestamptz');
});
