import type { Send } from '@po/database';
import { foldWord } from '../store/search-texts.js';
import type { Bind } from './query.js';

/** Characters of a part. */
const MAX_PART = 2;
/**
 * Longer terms are found by trigrams. Of other letters pg_trgm knows none where the database's ctype is C, and would look at every text; a
 * term that has some is found by its parts of two characters.
 */
const KNOWN_TO_TRIGRAMS = /^[\x20-\x7f]*[a-z0-9][\x20-\x7f]*$/;

/** A statement of the orders that a search finds, in a vendor's scope or in all for null: rows `{ id, vendor_code }`. */
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
  // Not joined: the planner would begin with all texts, because it expects of hardly any that it has the term.
  return `${byParts([...pairs])} AND ${isFoundBy(search, bind, 'p.order_id')}`;
}

/** The condition that a search finds an order, which looks at its words. */
export const isFoundBy = (search: string, bind: Bind, orderId = 'o.id'): string =>
  `(SELECT ${hasTerm(search, bind)} FROM search_texts s WHERE s.order_id = ${orderId})`;

const hasTerm = (search: string, bind: Bind): string =>
  `s.text LIKE ${bind(`%${foldWord(search).replace(/[\\%_]/g, '\\$&')}%`)}`;

/**
 * Has the transaction's next statements look up what is searched for. PostgreSQL takes a look at a text for as cheap as one at a number:
 * of a term that many have it would look at all texts.
 */
export const searchByIndex = (read: Send): void =>
  void read({ name: 'search-by-index', text: `SELECT set_config('enable_seqscan', 'off', true)` });
