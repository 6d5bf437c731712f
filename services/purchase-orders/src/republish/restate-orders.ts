import { INSERT_OUTBOX_ENTRIES, outboxJson } from '@po/messaging';
import { childTraceparent } from '@po/platform';
import { unchanged } from '../orders/order-change.js';
import { outboxEntryOf } from '../orders/outbox-entry.js';
import type { Databases } from '../store/databases.js';
import { loadOrder } from '../store/load-order.js';

/** Puts the current state of these orders into the outbox anew, after an older one may have been published last. */
export async function restateOrders({ internal }: Pick<Databases, 'internal'>, poNumbers: string[]): Promise<void> {
  for (const key of poNumbers) {
    await internal.transaction(null, async (send) => {
      const order = await loadOrder(send, key);
      if (!order) return;
      const entry = outboxEntryOf(unchanged(order, new Date()), childTraceparent(undefined));
      void send(INSERT_OUTBOX_ENTRIES, [outboxJson([entry])]);
    });
  }
}
