import type { Send } from '@po/database';
import { WITHOUT_ENTRIES, fold } from '../store/search-texts.js';
import { type Bind, ask, question } from './question.js';

/**
 * How orders are tested for a term. `listed`: few have it, and which is known. `hashed`: takes the orders as they come, and looks them up
 * among all that have it. `checked`: takes the orders as they come, and looks at the words of each; where most have it, a page is soon
 * full. `former`: by what the version before wrote, while some orders have nothing else.
 */
export type Search =
  | { term: string; form: 'listed'; orders: readonly number[] }
  | { term: string; form: 'hashed' | 'checked' | 'former'; found: number | null };

/** Orders that are listed at most, and texts with the term above which there are more. */
const LISTED_ORDERS = 1_000;
const LISTED_ENTRIES = 500;
/** Texts with the term above which each order is looked at. A vendor's orders are few enough to look at them much sooner. */
const MAX_ENTRIES = 8_000;
const MAX_ENTRIES_OF_VENDOR = 1_000;

interface Found {
  entries: number;
  /** An order that has no entries; null when all have. */
  backlog: number | null;
  listed: number[] | null;
  orders: string | null;
}

/** Decides how to search for a text, in a vendor's scope or in all for null. Counts what it finds where the list asks for no more. */
export async function searchFor(
  read: Send,
  search: string,
  { vendorCode, isFiltered }: { vendorCode: string | null; isFiltered: boolean },
): Promise<Search> {
  const term = fold(search);
  // Words are stored one a line: only the whole text could have it.
  if (term.includes('\n')) return { term, form: 'checked', found: null };
  const most = vendorCode === null ? MAX_ENTRIES : MAX_ENTRIES_OF_VENDOR;
  const [row] = await ask<Found>(
    read,
    question((bind) => {
      const entries = entriesWith(term, vendorCode, bind);
      const orders = ordersOf('SELECT id FROM found', vendorCode, bind);
      return `WITH found AS MATERIALIZED (${entries} LIMIT ${most + 1}),
                   counted AS (SELECT count(*)::integer AS entries FROM found)
              SELECT entries, (SELECT min(id) FROM purchase_orders WHERE ${WITHOUT_ENTRIES}) AS backlog,
                     CASE WHEN entries <= ${LISTED_ENTRIES}
                          THEN ARRAY(SELECT order_id FROM (${orders}) AS o GROUP BY order_id LIMIT ${LISTED_ORDERS + 1})
                      END AS listed,
                     CASE WHEN ${isFiltered ? 'false' : `entries > ${LISTED_ENTRIES} AND entries <= ${most}`}
                          THEN (SELECT count(*) FROM (SELECT order_id FROM (${orders}) AS o GROUP BY order_id) AS o)
                      END AS orders
                FROM counted`;
    }),
  );
  if (!row || row.backlog !== null) return { term, form: 'former', found: null };
  if (row.listed && row.listed.length <= LISTED_ORDERS) return { term, form: 'listed', orders: row.listed };
  const found = row.orders === null ? null : Number(row.orders);
  return { term, form: row.entries > most ? 'checked' : 'hashed', found };
}

/** The condition on orders `o` that the search finds them. */
export function isFound(search: Search, vendorCode: string | null, bind: Bind): string {
  const { term, form } = search;
  switch (form) {
    case 'listed':
      return `o.id = ANY (${bind(search.orders)}::integer[])`;
    case 'hashed':
      // As a plain condition it would be joined, which begins with all that was found.
      return `(o.id IN (${ordersOf(entriesWith(term, vendorCode, bind), vendorCode, bind)})) IS TRUE`;
    case 'checked':
      return `(SELECT t.text LIKE ${bind(Buffer.from(containing(term)))} FROM search_texts t WHERE t.order_id = o.id)`;
    case 'former':
      return `o.search_text LIKE ${bind(containing(term))}`;
    default:
      return form satisfies never;
  }
}

/** A statement of how many orders a search finds that looks at each order, in the scope: one row `{ total }`. */
export function countChecked(term: string, vendorCode: string | null, bind: Bind): string {
  const own = vendorCode === null ? '' : `t.vendor_code = ${bind(vendorCode)} AND`;
  return `SELECT count(*) AS total FROM search_texts t WHERE ${own} t.text LIKE ${bind(Buffer.from(containing(term)))}`;
}

/** The ids of the orders that have one of the entries whose ids are selected, some more than once. */
function ordersOf(entries: string, vendorCode: string | null, bind: Bind): string {
  const own = vendorCode === null ? '' : `AND p.vendor_code = ${bind(vendorCode)}`;
  // By an array: joined, a plan for an unknown number of texts may read all postings.
  return `SELECT p.order_id FROM search_postings p WHERE p.entry_id = ANY (ARRAY(${entries})) ${own}`;
}

function entriesWith(term: string, vendorCode: string | null, bind: Bind): string {
  const entries = 'SELECT e.id FROM search_entries e WHERE';
  if (vendorCode !== null) {
    return `${entries} e.vendor_code = ${bind(vendorCode)} AND e.text LIKE ${bind(containing(term))}`;
  }
  // No trigram tells of so short a term.
  if (Array.from(term).length < 3) return `${entries} e.short_grams @> ARRAY[${bind(term)}::text]`;
  return `${entries} e.text LIKE ${bind(containing(term))}`;
}

const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;
