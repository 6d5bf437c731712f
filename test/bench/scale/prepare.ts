import { MIGRATIONS as NOTIFICATIONS } from '@po/notifications/dist/migrations/migrations.js';
import { MIGRATIONS as ORDERS } from '@po/purchase-orders/dist/migrations/migrations.js';
import type { Assortment } from '#local/generator/orders.js';
import { progress } from '../lifetime.js';
import { type Batch, allOf, importAll, otherQuantity, sameAgain } from '../orders.js';
import type { BenchStack } from '../stack.js';
import type { Contents } from './prepared-folder.js';
import { LARGE_ORDERS, largeOrderOf } from './subjects.js';

/** The large orders have a higher revision than the others. */
const REVISION_OF_LARGE = 4;

/** Imports all orders, three times when that is measured, and gives them statuses. Resolves with the orders a second. */
export async function prepareOrders(stack: BenchStack, assortment: Assortment, measured: boolean): Promise<object[]> {
  const send = (what: string, batch: Batch) => {
    progress(`import ${batch.count} orders, ${what}`);
    return importAll(stack, batch);
  };
  const created = await send('new', allOf(assortment, sameAgain(1)));
  const rows = measured
    ? [
        {
          new: created,
          unchanged: await send('unchanged', allOf(assortment, sameAgain(2))),
          'another quantity': await send('with another quantity', allOf(assortment, otherQuantity(3))),
        },
      ]
    : [];
  const large = sameAgain(REVISION_OF_LARGE);
  await send('large', { count: LARGE_ORDERS, orderAt: (index) => large(largeOrderOf(assortment, index)) });
  progress('give them statuses');
  await age(stack);
  return rows;
}

/** What a stack holds when its orders are prepared. */
export function contentsOf({ orders, cells, vendors, seed }: Assortment): Contents {
  const migrations = [...ORDERS, ...NOTIFICATIONS].map((migration) => new migration().name ?? migration.name);
  return { orders, cells, vendors, seed, largeOrders: LARGE_ORDERS, migrations };
}

/** Gives orders the statuses and flags that fit their age, by SQL, which publishes nothing. */
async function age({ orders }: BenchStack): Promise<void> {
  await orders.query(`
    UPDATE purchase_orders SET has_pending_changes = id * 13 % 10 < 1, has_source_conflict = id * 17 % 100 < 2,
      status_id = CASE
        WHEN id % 100 < 3 THEN 900
        WHEN po_date > current_date - 15 THEN (ARRAY[100, 100, 150, 200])[1 + id * 7 % 4]
        WHEN po_date > current_date - 60 THEN (ARRAY[150, 200, 300, 300, 300])[1 + id * 7 % 5]
        WHEN po_date > current_date - 120 THEN (ARRAY[300, 400, 400, 400])[1 + id * 7 % 4]
        WHEN po_date > current_date - 160 THEN (ARRAY[400, 500, 500])[1 + id * 7 % 3]
        ELSE (ARRAY[500, 600, 600, 600, 600, 600, 600, 600])[1 + id * 7 % 8] END`);
  await orders.query('VACUUM ANALYZE');
}
