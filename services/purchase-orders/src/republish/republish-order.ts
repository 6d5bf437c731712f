import type { Statement } from '@po/database';
import { INSERT_OUTBOX_ENTRIES, serializeOutboxEntries } from '@po/messaging';
import { childTraceparent } from '@po/platform';
import { unchanged } from '../orders/order-change.js';
import { outboxEntryOf } from '../orders/outbox-entry.js';
import type { Databases } from '../store/databases.js';
import { loadOrder } from '../store/load-order.js';

const RAISE: Statement = {
  name: 'order-raise-version',
  text: 'UPDATE purchase_orders SET version = $2 WHERE po_number = $1 AND version < $2',
};

/**
 * Writes the current state of an order to the outbox again, because an older state may have been published last. A version below
 * `leastVersion` is raised to it first.
 */
export async function republishOrder(
  { internal }: Pick<Databases, 'internal'>,
  poNumber: string,
  leastVersion = 0,
): Promise<void> {
  await internal.transaction(null, async (send) => {
    if (leastVersion > 0) void send(RAISE, [poNumber, leastVersion]);
    const order = await loadOrder(send, poNumber);
    if (!order) return;
    const entry = outboxEntryOf(unchanged(order, new Date()), childTraceparent(undefined));
    void send(INSERT_OUTBOX_ENTRIES, [serializeOutboxEntries([entry])]);
  });
}
