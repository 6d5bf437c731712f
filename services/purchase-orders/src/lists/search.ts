import type { Send } from '@po/database';
import { foldWord } from '../store/search-texts.js';
import type { Bind } from './query.js';

/** Characters of a term up to which orders are found by their parts; of a longer one their trigrams tell. */
const MAX_PART = 2;

/** A statement of the orders that a search finds, in a vendor's scope or in all for null: rows `{ id, vendor_code }`. */
export function foundBy(search: string, vendorCode: string | null, bind: Bind): string {
  const found = (table: string, condition: string) =>
    `SELECT s.order_id AS id, s.vendor_code FROM ${table} s WHERE ${condition}`;
  if (vendorCode !== null)
    return found('search_texts', `s.vendor_code = ${bind(vendorCode)} AND ${hasTerm(search, bind)}`);
  const term = foldWord(search);
  if (Array.from(term).length > MAX_PART) return found('search_texts', hasTerm(search, bind));
  return found('search_parts', `string_to_array(s.parts, E'\\n') @> ARRAY[${bind(term)}::text]`);
}

/** The condition on orders `o` that a search finds them, which looks at the words of each. */
export const isFoundBy = (search: string, bind: Bind): string =>
  `(SELECT ${hasTerm(search, bind)} FROM search_texts s WHERE s.order_id = o.id)`;

const hasTerm = (search: string, bind: Bind): string =>
  `s.text LIKE ${bind(`%${foldWord(search).replace(/[\\%_]/g, '\\$&')}%`)}`;

/**
 * Has the transaction's next statements look up what is searched for. PostgreSQL takes a look at a text for as cheap as one at a number:
 * of a term that many have it would look at all texts.
 */
export const searchByIndex = (read: Send): void =>
  void read({ name: 'search-by-index', text: `SELECT set_config('enable_seqscan', 'off', true)` });
