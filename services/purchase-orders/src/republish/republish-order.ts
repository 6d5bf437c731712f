import type { Statement } from '@po/database';
import { INSERT_OUTBOX_ENTRIES, serializeOutboxEntries } from '@po/messaging';
import { childTraceparent } from '@po/platform';
import { unchanged } from '../orders/order-change.js';
import { outboxEntryOf } from '../orders/outbox-entry.js';
import type { Databases } from '../store/databases.js';

const RAISE: Statement = {
  name: 'order-raise-version',
  text: 'UPDATE purchase_orders SET version = $2 WHERE po_number = $1',
};

/**
 * Writes the current state of an order to the outbox again, because an older state may have been published last. A version below
 * `leastVersion` is raised to it.
 */
export async function republishOrder(
  { internal, orders }: Pick<Databases, 'internal' | 'orders'>,
  poNumber: string,
  leastVersion = 0,
): Promise<void> {
  await internal.transaction(null, async (send) => {
    const order = await orders.lock(send, poNumber, null);
    if (!order) return;
    const version = Math.max(order.version, leastVersion);
    if (version > order.version) void send(RAISE, [poNumber, version]);
    const entry = outboxEntryOf(unchanged({ ...order, version }, new Date()), childTraceparent(undefined));
    void send(INSERT_OUTBOX_ENTRIES, [serializeOutboxEntries([entry])]);
  });
}
