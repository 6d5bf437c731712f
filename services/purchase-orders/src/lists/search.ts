import type { Send } from '@po/database';
import { fold } from '../store/search-texts.js';

/** Binds a value to a statement; gives its parameter. */
export type Bind = (value: unknown) => string;

/**
 * How a search finds its orders. By `entries`, where few texts have the term: the orders that have one of these texts. By `text`, where
 * so many have it that most orders do: whatever order is looked at, the term is found soon.
 */
type SearchWay = 'entries' | 'text';

/** Above this, looking at all orders costs less than collecting those of so many texts. Measured: see the benchmark's README. */
const MANY_ENTRIES = 20_000;

/** What is searched for, as texts are stored, and how. */
export interface Search {
  term: string;
  way: SearchWay;
}

/**
 * The search for a text, in a vendor's scope or in all for null: by text also while there are orders without entries, which a version
 * wrote that knows none.
 */
export async function searchFor(read: Send, search: string, vendorCode: string | null): Promise<Search> {
  const term = fold(search);
  // Words are stored one a line: only the whole text could have it.
  if (term.includes('\n')) return { term, way: 'text' };
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = `SELECT count(*) > ${MANY_ENTRIES}
                       OR (SELECT min(id) FROM purchase_orders WHERE right(search_text, 1) <> E'\\n') IS NOT NULL AS "byText"
                  FROM (SELECT FROM search_entries e WHERE ${entriesWith(term, vendorCode, bind)}
                         LIMIT ${MANY_ENTRIES + 1}) AS found`;
  const [found] = await read<{ byText: boolean }>({ name: '', text }, values);
  return { term, way: found?.byText ? 'text' : 'entries' };
}

/** The condition on orders `o` that the search finds them. */
export function isFound(search: Search, vendorCode: string | null, bind: Bind): string {
  if (search.way === 'text') return `o.search_text LIKE ${bind(containing(search.term))}`;
  return `o.id IN (${ordersWith(search.term, vendorCode, bind)})`;
}

/** The ids of the orders that have the term, some more than once. */
export function ordersWith(term: string, vendorCode: string | null, bind: Bind): string {
  const own = vendorCode === null ? '' : `AND p.vendor_code = ${bind(vendorCode)}`;
  // By an array: joined, a plan for an unknown number of texts may read all postings.
  return `SELECT p.order_id FROM search_postings p
           WHERE p.entry_id = ANY (ARRAY(SELECT e.id FROM search_entries e WHERE ${entriesWith(term, vendorCode, bind)})) ${own}`;
}

function entriesWith(term: string, vendorCode: string | null, bind: Bind): string {
  if (vendorCode !== null) {
    return `e.vendor_code = ${bind(vendorCode)} AND e.text LIKE ${bind(containing(term))}`;
  }
  // No trigram tells of so short a term.
  if (Array.from(term).length < 3) return `e.short_grams @> ARRAY[${bind(term)}::text]`;
  return `e.text LIKE ${bind(containing(term))}`;
}

const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;
