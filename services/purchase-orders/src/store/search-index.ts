import type { Send, Statement } from '@po/database';
import type { SearchEntry } from './search-texts.js';

/** What one order is found by. */
export interface IndexedOrder {
  orderId: number;
  entries: readonly SearchEntry[];
}

// In one order everywhere: two that add the same ones wait for each other, but never in a circle.
const ADD_ENTRIES: Statement = {
  name: 'add-search-entries',
  text: `INSERT INTO search_entries (id, vendor_code, text)
         SELECT n.id, n."vendorCode", n.text FROM json_to_recordset($1::json) AS n(id uuid, "vendorCode" text, text text)
          ORDER BY n.id ON CONFLICT DO NOTHING`,
};
const POSTINGS = `json_to_recordset($1::json) AS n("orderId" integer, "entryId" uuid, "vendorCode" text)`;
const REMOVE_POSTINGS: Statement = {
  name: 'remove-search-postings',
  text: `WITH wanted AS MATERIALIZED (SELECT "orderId", "entryId" FROM ${POSTINGS})
         DELETE FROM search_postings p
          WHERE p.order_id = ANY (ARRAY(SELECT "orderId" FROM wanted))
            AND NOT EXISTS (SELECT FROM wanted w WHERE w."orderId" = p.order_id AND w."entryId" = p.entry_id)`,
};
const ADD_POSTINGS: Statement = {
  name: 'add-search-postings',
  text: `INSERT INTO search_postings (order_id, entry_id, vendor_code)
         SELECT n."orderId", n."entryId", n."vendorCode" FROM ${POSTINGS} ON CONFLICT DO NOTHING`,
};

/**
 * Stores what these orders are found by, in the transaction that writes their search texts. An entry stays when no order has it any
 * more: it finds nothing, and the next order of the article needs it again.
 */
export async function saveSearchEntries(send: Send, orders: readonly IndexedOrder[]): Promise<void> {
  if (orders.length === 0) return;
  const entries = new Map(orders.flatMap((order) => order.entries.map((entry) => [entry.id, entry])));
  const postings = JSON.stringify(
    orders.flatMap(({ orderId, entries: own }) =>
      own.map(({ id, vendorCode }) => ({ orderId, entryId: id, vendorCode })),
    ),
  );
  await Promise.all([
    send(ADD_ENTRIES, [JSON.stringify([...entries.values()])]),
    send(REMOVE_POSTINGS, [postings]),
    send(ADD_POSTINGS, [postings]),
  ]);
}
