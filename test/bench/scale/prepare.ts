import { type Assortment, orderOf } from '#local/generator/orders.js';
import { eventually } from '#local/eventually.js';
import { openInventoryFeed, upserted } from '#local/inventory-feed.js';
import type { StackFile } from '#local/stack/stack-file.js';
import type { Settlement } from '../settlement.js';

const PER_SEND = 100;
const PATIENCE_MS = 60 * 60_000;

/** What of the orders another revision says. */
type Revise = (order: ReturnType<typeof orderOf>) => ReturnType<typeof orderOf>;

/** Sends all orders through the inventory topic, as `revise` makes them; resolves with the orders a second until all are everywhere. */
export async function importAll(
  { kafkaBrokers }: StackFile,
  { orders, settled }: Settlement,
  assortment: Assortment,
  revise: Revise,
): Promise<number> {
  const feed = await openInventoryFeed(kafkaBrokers);
  const startedAt = performance.now();
  let revision = 0;
  try {
    for (let first = 0; first < assortment.orders; first += PER_SEND) {
      const count = Math.min(PER_SEND, assortment.orders - first);
      const snapshots = Array.from({ length: count }, (_, index) => revise(orderOf(assortment, first + index)));
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
    return Number(rows[0]?.count) >= assortment.orders;
  };
  await eventually('all orders are stored', allStored, { timeoutMs: PATIENCE_MS });
  await settled();
  return assortment.orders / ((performance.now() - startedAt) / 1000);
}

/** Gives orders the statuses and flags that years of work would have left, by their age; by SQL, which no topic tells of. */
export async function age({ orders }: Settlement): Promise<void> {
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
