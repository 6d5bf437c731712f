import { MIGRATIONS as NOTIFICATIONS } from '@po/notifications/dist/migrations/migrations.js';
import { MIGRATIONS as ORDERS } from '@po/purchase-orders/dist/migrations/migrations.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { eventually } from '@po/testing/eventually';
import { openInventoryFeed, upserted } from '#local/inventory-feed.js';
import type { StackFile } from '#local/stack/stack-file.js';
import { progress } from '../lifetime.js';
import type { OpenStack } from '../open-stack.js';
import type { Settlement } from '../settlement.js';
import { LARGE_ORDERS, largeOrderOf } from './large-orders.js';
import type { Contents } from './prepared-folder.js';

const PER_SEND = 100;
const PATIENCE_MS = 60 * 60_000;
/** The large orders are told from the others by it. */
const REVISION_OF_LARGE = 4;

type Order = ReturnType<typeof orderOf>;
/** What of an order another revision says. */
type Revise = (order: Order) => Order;

/** Orders a second: new ones, the same again, and a newer revision with another quantity. */
export interface ImportFigures {
  created: number;
  unchanged: number;
  changed: number;
}

/** Orders of one revision that are imported together: each by its index, from 0. */
interface Batch {
  count: number;
  orderAt: (index: number) => Order;
}

/** The orders at this revision, with nothing else changed. */
export const sameAgain =
  (sourceRevision: number): Revise =>
  (order) => ({ ...order, sourceRevision });

/** The orders at this revision, each with another quantity of its first row. */
export const otherQuantity =
  (sourceRevision: number): Revise =>
  ({ lines: [line, ...lines], ...order }) => ({
    ...order,
    sourceRevision,
    lines: line ? [{ ...line, qty: line.qty + 1 }, ...lines] : lines,
  });

/** All orders of an assortment, as `revise` makes them. */
export const allOf = (assortment: Assortment, revise: Revise): Batch => ({
  count: assortment.orders,
  orderAt: (index) => revise(orderOf(assortment, index)),
});

/** Imports all orders; three times, when that is to be measured, else once and answers null. Then it makes them years old. */
export async function prepareOrders(
  { stack, settlement }: OpenStack,
  assortment: Assortment,
  measured: boolean,
): Promise<ImportFigures | null> {
  const send = (what: string, revise: Revise) => {
    progress(`import ${assortment.orders} orders, ${what}`);
    return importAll(stack, settlement, allOf(assortment, revise));
  };
  const created = await send('new', sameAgain(1));
  const figures = measured && {
    created,
    unchanged: await send('the same again', sameAgain(2)),
    changed: await send('with another quantity', otherQuantity(3)),
  };
  progress(`import ${LARGE_ORDERS} large orders`);
  const large = sameAgain(REVISION_OF_LARGE);
  await importAll(stack, settlement, {
    count: LARGE_ORDERS,
    orderAt: (index) => large(largeOrderOf(assortment, index)),
  });
  progress('give them statuses');
  await age(settlement);
  return figures || null;
}

/** What a stack holds when its orders are prepared. */
export function contentsOf({ orders, cells, vendors, seed }: Assortment): Contents {
  const migrations = [...ORDERS, ...NOTIFICATIONS].map((migration) => new migration().name ?? migration.name);
  return { orders, cells, vendors, seed, largeOrders: LARGE_ORDERS, migrations };
}

/** Sends all through the inventory topic; resolves with the orders a second until all are everywhere. */
export async function importAll(stack: StackFile, settlement: Settlement, batch: Batch): Promise<number> {
  const startedAt = performance.now();
  const revision = await sendAll(stack, batch);
  await eventually('all orders are stored', () => allStored(settlement, batch, revision), { timeoutMs: PATIENCE_MS });
  await settlement.settled();
  return batch.count / ((performance.now() - startedAt) / 1000);
}

/** Sends all to the inventory topic; resolves with their revision when the broker has them. */
export async function sendAll({ kafkaBrokers }: StackFile, { count, orderAt }: Batch): Promise<number> {
  const feed = await openInventoryFeed(kafkaBrokers);
  let revision = 0;
  try {
    for (let first = 0; first < count; first += PER_SEND) {
      const length = Math.min(PER_SEND, count - first);
      const snapshots = Array.from({ length }, (_, index) => orderAt(first + index));
      revision = snapshots[0]?.sourceRevision ?? revision;
      await feed.send(snapshots.map(upserted));
    }
  } finally {
    await feed.close();
  }
  return revision;
}

/** Whether as many orders are in the database at this revision or a later one. */
export async function allStored({ orders }: Settlement, { count }: Batch, revision: number): Promise<boolean> {
  const { rows } = await orders.query<{ count: string }>(
    'SELECT count(*) FROM purchase_orders WHERE source_revision >= $1',
    [revision],
  );
  return Number(rows[0]?.count) >= count;
}

/** Gives orders the statuses and flags that years of work would have left, by their age; by SQL, which no topic tells of. */
async function age({ orders }: Settlement): Promise<void> {
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
