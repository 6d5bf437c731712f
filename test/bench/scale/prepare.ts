import { MIGRATIONS as NOTIFICATIONS } from '@po/notifications/dist/migrations/migrations.js';
import { MIGRATIONS as ORDERS } from '@po/purchase-orders/dist/migrations/migrations.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { eventually } from '#local/eventually.js';
import { openInventoryFeed, upserted } from '#local/inventory-feed.js';
import type { RunningStack } from '../stack-process.js';
import type { Settlement } from '../settlement.js';
import { LARGE_ORDERS, largeOrderOf } from './large-orders.js';
import type { Contents } from './prepared-folder.js';

const PER_SEND = 100;
const PATIENCE_MS = 60 * 60_000;
/** The large orders are told from the others by it. */
const REVISION_OF_LARGE = 4;

type Order = ReturnType<typeof orderOf>;

/** Orders a second: new ones, the same again, and a newer revision with another quantity. */
export interface ImportFigures {
  created: number;
  unchanged: number;
  changed: number;
}

/** What is imported into, and who is told of it. */
interface Importing {
  running: RunningStack;
  settlement: Settlement;
  progress: (line: string) => void;
}

/** Imports all orders; three times, when that is to be measured, else once and answers null. Then it makes them years old. */
export async function prepareOrders(
  importing: Importing,
  assortment: Assortment,
  measured: boolean,
): Promise<ImportFigures | null> {
  const { orders } = assortment;
  const send = (what: string, revise: (order: Order) => Order) => {
    importing.progress(`import ${orders} orders, ${what}`);
    return importOrders(importing, orders, (index) => revise(orderOf(assortment, index)));
  };
  const created = await send('new', (order) => order);
  const figures = measured && {
    created,
    unchanged: await send('the same again', (order) => ({ ...order, sourceRevision: 2 })),
    changed: await send('with another quantity', ({ lines: [line, ...lines], ...order }) => ({
      ...order,
      sourceRevision: 3,
      lines: line ? [{ ...line, qty: line.qty + 1 }, ...lines] : lines,
    })),
  };
  importing.progress(`import ${LARGE_ORDERS} large orders`);
  await importOrders(importing, LARGE_ORDERS, (index) => ({
    ...largeOrderOf(assortment, index),
    sourceRevision: REVISION_OF_LARGE,
  }));
  importing.progress('give them statuses');
  await age(importing.settlement);
  return figures || null;
}

/** What a stack holds when its orders are prepared. */
export function contentsOf({ orders, cells, vendors, seed }: Assortment): Contents {
  const migrations = [...ORDERS, ...NOTIFICATIONS].map((migration) => new migration().name ?? migration.name);
  return { orders, cells, vendors, seed, largeOrders: LARGE_ORDERS, migrations };
}

/** Sends orders of one revision through the inventory topic; resolves with the orders a second until all are everywhere. */
async function importOrders(
  { running: { stack }, settlement: { orders, settled } }: Importing,
  count: number,
  orderAt: (index: number) => Order,
): Promise<number> {
  const feed = await openInventoryFeed(stack.kafkaBrokers);
  const startedAt = performance.now();
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
  const allStored = async () => {
    const { rows } = await orders.query<{ count: string }>(
      'SELECT count(*) FROM purchase_orders WHERE source_revision >= $1',
      [revision],
    );
    return Number(rows[0]?.count) >= count;
  };
  await eventually('all orders are stored', allStored, { timeoutMs: PATIENCE_MS });
  await settled();
  return count / ((performance.now() - startedAt) / 1000);
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
