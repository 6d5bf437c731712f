import { Purge, type PurgeBatch, type Statement } from '@po/database';
import type { Logger } from '@po/platform';
import type { Databases } from '../store/databases.js';
import { loadOrders } from '../store/load-order.js';
import { saveSearchEntries } from '../store/search-index.js';
import { WITHOUT_ENTRIES, searchTextsOf } from '../store/search-texts.js';

const EVERY_MS = 30_000;
const FIRST_MS = 5_000;

// What another replica indexes, or somebody changes, is left to them.
const OLDEST: Statement = {
  name: 'search-backlog',
  text: `SELECT id FROM purchase_orders WHERE ${WITHOUT_ENTRIES} ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
};
const MARK: Statement = {
  name: 'mark-search-texts',
  text: `UPDATE purchase_orders o SET search_text = n.text
           FROM unnest($1::integer[], $2::text[]) AS n(id, text) WHERE o.id = n.id`,
};

/** Stores the search entries of the oldest orders that a version wrote which knows none, `rows` at most. */
export function indexOldest({ internal }: Databases, rows: number): Promise<PurgeBatch> {
  return internal.transaction(null, async (send) => {
    const ids = (await send<{ id: number }>(OLDEST, [rows])).map(({ id }) => id);
    const orders = [...(await loadOrders(send, ids)).values()].map((order) => {
      const { id: orderId, vendorCode } = order;
      return { orderId, vendorCode, search: searchTextsOf(order) };
    });
    if (orders.length === 0) return { deleted: 0, more: false };
    void send(MARK, [orders.map(({ orderId }) => orderId), orders.map(({ search }) => search.text)]);
    saveSearchEntries(send, orders, new Set());
    return { deleted: orders.length, more: orders.length === rows };
  });
}

/**
 * Clears the backlog of orders without search entries, which is there after an upgrade and while pods of the version before write. Until
 * it is empty, searches look at the orders' texts.
 */
export const searchBacklog = (databases: Databases, logger: Logger): Purge =>
  new Purge({
    name: 'search_backlog',
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    batch: (rows) => indexOldest(databases, rows),
    logger,
  });
