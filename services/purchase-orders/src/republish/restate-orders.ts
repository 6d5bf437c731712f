import { childTraceparent } from '@po/platform';
import type { Databases } from '../store/databases.js';
import { loadOrder } from '../store/load-order.js';
import { rowOf } from '../store/order-rows.js';
import { publishAct } from '../orders/publish-act.js';

/** Puts the current state of these orders into the outbox anew, after an older one may have been published last. */
export async function restateOrders({ internal }: Pick<Databases, 'internal'>, poNumbers: string[]): Promise<void> {
  for (const poNumber of poNumbers) {
    await internal.transaction(null, async (manager) => {
      const order = await loadOrder(manager, poNumber);
      if (!order) return;
      const traceparent = childTraceparent(undefined);
      await publishAct(manager, { order, row: rowOf(order), entry: null, now: new Date(), traceparent });
    });
  }
}
