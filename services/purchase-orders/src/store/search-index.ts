import type { Send, Statement } from '@po/database';
import { type SearchEntry, type SearchTexts, shortGramsOf } from './search-texts.js';

/** What one order is found by. */
export interface IndexedOrder {
  orderId: number;
  vendorCode: string;
  search: SearchTexts;
}

const KNOWN_ENTRIES: Statement = {
  name: 'known-search-entries',
  text: `SELECT replace(id::text, '-', '') AS id FROM search_entries WHERE id = ANY ($1::uuid[])`,
};
// In one order everywhere: two that add the same ones wait for each other, but never in a circle.
const ADD_ENTRIES: Statement = {
  name: 'add-search-entries',
  text: `INSERT INTO search_entries (id, vendor_code, text, short_grams)
         SELECT n.id, n."vendorCode", n.text, n."shortGrams"
           FROM json_to_recordset($1::json) AS n(id uuid, "vendorCode" text, text text, "shortGrams" text[])
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
const SAVE_TEXTS: Statement = {
  name: 'save-search-texts',
  text: `INSERT INTO search_texts (order_id, vendor_code, text)
         SELECT n.order_id, n.vendor_code, convert_to(n.text, 'UTF8')
           FROM unnest($1::integer[], $2::text[], $3::text[]) AS n(order_id, vendor_code, text)
         ON CONFLICT (order_id) DO UPDATE SET text = excluded.text`,
};
const ADD_POSTINGS: Statement = {
  name: 'add-search-postings',
  text: `INSERT INTO search_postings (order_id, entry_id, vendor_code)
         SELECT n."orderId", n."entryId", n."vendorCode" FROM ${POSTINGS} ON CONFLICT DO NOTHING`,
};

/** The ids of those entries that are stored already, mostly all but the PO numbers. */
export async function knownEntries(send: Send, orders: readonly IndexedOrder[]): Promise<Set<string>> {
  if (orders.length === 0) return new Set();
  const ids = new Set(orders.flatMap(({ search }) => search.entries.map(({ id }) => id)));
  const rows = await send<{ id: string }>(KNOWN_ENTRIES, [[...ids]]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores what these orders are found by, but for the entries that are `known`, in the transaction that writes their search texts, which
 * fails with it: there is nothing to wait for. An entry is never deleted: without an order it finds nothing, and the next order of the
 * article needs it again.
 */
export function saveSearchEntries(send: Send, orders: readonly IndexedOrder[], known: ReadonlySet<string>): void {
  if (orders.length === 0) return;
  const added = new Map<string, SearchEntry & { shortGrams: string[] }>();
  for (const entry of orders.flatMap(({ search }) => search.entries)) {
    if (known.has(entry.id) || added.has(entry.id)) continue;
    added.set(entry.id, { ...entry, shortGrams: shortGramsOf(entry.text) });
  }
  const postings = JSON.stringify(
    orders.flatMap(({ orderId, vendorCode, search }) =>
      search.entries.map(({ id }) => ({ orderId, entryId: id, vendorCode })),
    ),
  );
  if (added.size > 0) void send(ADD_ENTRIES, [JSON.stringify([...added.values()])]);
  void send(SAVE_TEXTS, [
    orders.map(({ orderId }) => orderId),
    orders.map(({ vendorCode }) => vendorCode),
    orders.map(({ search }) => search.text),
  ]);
  void send(REMOVE_POSTINGS, [postings]);
  void send(ADD_POSTINGS, [postings]);
}
