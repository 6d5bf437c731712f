import type { Send } from '@po/database';
import { foldWord } from '../store/search-texts.js';
import type { Bind } from './query.js';

/** Maximum characters of a part. */
const MAX_PART = 2;
/**
 * Longer terms like these are found by trigrams, others by their two-character parts. pg_trgm would read every text for a term without a
 * trigram: it extracts none from a single letter or digit at the start, and if the database's ctype is C, none from non-ASCII letters.
 */
const KNOWN_TO_TRIGRAMS = /^(?=[\x20-\x7f]*$).*(?:[a-z0-9]{2}|[^a-z0-9][a-z0-9])/;

/** Statement for the orders that a search finds: rows `{ id, vendor_code }`. A null `vendorCode` means all vendors. */
export function foundBy(search: string, vendorCode: string | null, bind: Bind): string {
  const byTexts = (condition: string) =>
    `SELECT s.order_id AS id, s.vendor_code FROM search_texts s WHERE ${condition}`;
  if (vendorCode !== null) return byTexts(`s.vendor_code = ${bind(vendorCode)} AND ${hasTerm(search, bind)}`);
  const term = foldWord(search);
  const characters = Array.from(term);
  const byParts = (parts: readonly string[]) =>
    `SELECT p.order_id AS id, p.vendor_code FROM search_parts p WHERE string_to_array(p.parts, E'\\n') @> ${bind(parts)}::text[]`;
  if (characters.length <= MAX_PART) return byParts([term]);
  if (KNOWN_TO_TRIGRAMS.test(term)) return byTexts(hasTerm(search, bind));
  const pairs = new Set(characters.slice(1).map((character, at) => `${characters[at]}${character}`));
  // A subquery instead of a join: the planner expects that hardly any text has the term, and would start with all texts.
  return `${byParts([...pairs])} AND ${isFoundBy(search, bind, 'p.order_id')}`;
}

/** The condition that an order's words contain the search term. */
export const isFoundBy = (search: string, bind: Bind, orderId = 'o.id'): string =>
  `(SELECT ${hasTerm(search, bind)} FROM search_texts s WHERE s.order_id = ${orderId})`;

const hasTerm = (search: string, bind: Bind): string =>
  `s.text LIKE ${bind(`%${foldWord(search).replace(/[\\%_]/g, '\\$&')}%`)}`;

/**
 * Makes the transaction's next statements use the search indexes. PostgreSQL assumes that comparing a text is as cheap as comparing a
 * number, and for a term that many orders have it would scan all texts.
 */
export const searchByIndex = (read: Send): void =>
  void read({ name: 'search-by-index', text: `SELECT set_config('enable_seqscan', 'off', true)` });
