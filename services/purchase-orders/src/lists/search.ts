import type { Send } from '@po/database';
import { fold } from '../store/search-texts.js';

/** Binds a value to a statement; gives its parameter. */
export type Bind = (value: unknown) => string;

/**
 * How orders are tested for a term. `joined`: begins with the texts that have it, and reads their orders; for few texts. `hashed`: takes
 * the orders as they come, and looks them up among all that were found. `checked`: takes the orders as they come, and looks at the words
 * of each; where most have it, a page is soon full. `former`: by what the version before wrote, while some orders have nothing else.
 */
type SearchForm = 'joined' | 'hashed' | 'checked' | 'former';

/** What is searched for, as texts are stored, and how. */
export interface Search {
  term: string;
  form: SearchForm;
  /** How many orders have it in the scope, where that was counted on the way. */
  found: number | null;
}

/** Texts with the term above which all orders found are collected, and above which each order is looked at: see the plans' spec. */
const MANY_ENTRIES = 500;
const MOST_ENTRIES = 8_000;
/** A vendor's orders are few enough to look at each much sooner. */
const MOST_ENTRIES_OF_VENDOR = 1_000;

/** Decides how to search for a text, in a vendor's scope or in all for null. Counts what it finds where the `listing` asks for no more. */
export async function searchFor(
  read: Send,
  search: string,
  { vendorCode, isFiltered }: { vendorCode: string | null; isFiltered: boolean },
): Promise<Search> {
  const term = fold(search);
  // Words are stored one a line: only the whole text could have it.
  if (term.includes('\n')) return { term, form: 'checked', found: null };
  const most = vendorCode === null ? MOST_ENTRIES : MOST_ENTRIES_OF_VENDOR;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const entries = entriesWith(term, vendorCode, bind);
  const orders = () =>
    `(SELECT count(*) FROM (${ordersOf('SELECT id FROM found', vendorCode, bind)} GROUP BY p.order_id) AS o)`;
  const text = `WITH found AS MATERIALIZED (${entries} LIMIT ${most + 1}),
                     counted AS (SELECT count(*)::integer AS entries FROM found)
                SELECT entries, (SELECT min(id) FROM purchase_orders WHERE right(search_text, 1) <> E'\\n') AS backlog,
                       ${isFiltered ? 'NULL' : `CASE WHEN entries <= ${most} THEN ${orders()} END`} AS orders
                  FROM counted`;
  const [row] = await read<{ entries: number; backlog: number | null; orders: string | null }>(
    { name: '', text },
    values,
  );
  if (!row || row.backlog !== null) return { term, form: 'former', found: null };
  const found = row.orders === null ? null : Number(row.orders);
  if (row.entries > most) return { term, form: 'checked', found };
  return { term, form: row.entries > MANY_ENTRIES ? 'hashed' : 'joined', found };
}

/** The condition on orders `o` that the search finds them. */
export function isFound({ term, form }: Search, vendorCode: string | null, bind: Bind): string {
  const collected = () => `o.id IN (${ordersOf(entriesWith(term, vendorCode, bind), vendorCode, bind)})`;
  switch (form) {
    case 'joined':
      return collected();
    case 'hashed':
      // As a plain condition it would be joined.
      return `(${collected()}) IS TRUE`;
    case 'checked':
      return `(SELECT t.text LIKE ${bind(containing(term))} FROM search_texts t WHERE t.order_id = o.id)`;
    case 'former':
      return `o.search_text LIKE ${bind(containing(term))}`;
    default:
      return form satisfies never;
  }
}

/** A statement of how many orders a search finds that looks at each order, in the scope: one row `{ total }`. */
export function countChecked(term: string, vendorCode: string | null, bind: Bind): string {
  const own = vendorCode === null ? '' : `t.vendor_code = ${bind(vendorCode)} AND`;
  return `SELECT count(*) AS total FROM search_texts t WHERE ${own} t.text LIKE ${bind(containing(term))}`;
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
