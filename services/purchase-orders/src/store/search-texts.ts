import type { Send, Statement } from '@po/database';
import type { Order } from '../domain/order.js';

/** The texts by which a search finds an order. */
export interface SearchTexts {
  /** The order's words, one per line. */
  text: string;
  /** Parts of these words of one and of two characters, one per line. */
  parts: string;
}

/**
 * Folds text for case-insensitive comparison, independently of the database's locale. Unlike `toLowerCase`, İ becomes i without a combining
 * dot, and Σ is the same at the end of a word.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ');
}

/** Folds a stored word or a search term. Line feeds separate stored words, so a line feed in a word or a term becomes a space. */
export const foldWord = (text: string): string => fold(text).replaceAll('\n', ' ');

/** The search texts: PO number, and styles and SKUs of the lines that are part of the order. */
export const searchTextsOf = (order: Order): SearchTexts => searchTextsFor(textOf(order));

/** The search texts of `after`; null if the words are the same as before. */
export function changedSearchTexts(before: Order, after: Order): SearchTexts | null {
  const text = textOf(after);
  return textOf(before) === text ? null : searchTextsFor(text);
}

const searchTextsFor = (text: string): SearchTexts => ({ text, parts: partsOf(text).join('\n') });

function textOf({ poNumber, lines }: Order): string {
  const words = new Set<string>();
  for (const { style, sku, removed } of lines) {
    if (removed) continue;
    words.add(style);
    if (sku !== null) words.add(sku);
  }
  // Sorted, so that the sequence of the lines does not change the text.
  return [poNumber, ...[...words].toSorted()].map(foldWord).join('\n');
}

const LINE_FEED = 10;
const LAST_OF_ONE_UNIT = 0xffff;

// Code points: a string for each occurrence of a pair would take seconds for the largest order with long texts.
function partsOf(text: string): string[] {
  const followers = new Map<number, Set<number>>();
  let before: Set<number> | undefined;
  for (let at = 0; at < text.length;) {
    const character = text.codePointAt(at)!;
    at += character > LAST_OF_ONE_UNIT ? 2 : 1;
    if (character === LINE_FEED) {
      before = undefined;
      continue;
    }
    const after = followers.get(character) ?? new Set();
    followers.set(character, after);
    before?.add(character);
    before = after;
  }
  const parts: string[] = [];
  for (const [character, after] of followers) {
    const first = String.fromCodePoint(character);
    parts.push(first);
    for (const second of after) parts.push(first + String.fromCodePoint(second));
  }
  return parts;
}

const SAVE: Statement = {
  name: 'save-search-texts',
  text: `WITH parts_saved AS (
           INSERT INTO search_parts (order_id, vendor_code, parts) SELECT * FROM unnest($1::integer[], $2::text[], $4::text[])
           ON CONFLICT (order_id) DO UPDATE SET parts = excluded.parts
         )
         INSERT INTO search_texts (order_id, vendor_code, text) SELECT * FROM unnest($1::integer[], $2::text[], $3::text[])
         ON CONFLICT (order_id) DO UPDATE SET text = excluded.text`,
};

/** Saves the search texts of these orders. There is nothing to await: a failure also fails the transaction. */
export function saveSearchTexts(
  send: Send,
  orders: readonly { orderId: number; vendorCode: string; search: SearchTexts }[],
): void {
  if (orders.length === 0) return;
  void send(SAVE, [
    orders.map(({ orderId }) => orderId),
    orders.map(({ vendorCode }) => vendorCode),
    orders.map(({ search }) => search.text),
    orders.map(({ search }) => search.parts),
  ]);
}
