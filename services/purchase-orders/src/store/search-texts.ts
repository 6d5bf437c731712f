import type { Send, Statement } from '@po/database';
import type { Order } from '../domain/order.js';

/** The texts by which a search finds an order. */
export interface SearchTexts {
  /** The order's words, one per line. */
  text: string;
  /** Parts of these words of one and of two characters, one per line. */
  parts: string;
}

/** Folds text for case-insensitive comparison, independently of the database's locale. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Folds a stored word or a search term. Line feeds separate stored words, so a line feed in a word or a term becomes a space. */
export const foldWord = (text: string): string => fold(text).replaceAll('\n', ' ');

/** The search texts: PO number, and styles and SKUs of the rows that are part of the order. */
export const searchTextsOf = (order: Order): SearchTexts => searchTextsFor(textOf(order));

/** The search texts of `after`; null if the words are the same as before. */
export function changedSearchTexts(before: Order, after: Order): SearchTexts | null {
  const text = textOf(after);
  return textOf(before) === text ? null : searchTextsFor(text);
}

const searchTextsFor = (text: string): SearchTexts => ({ text, parts: partsOf(text).join('\n') });

function textOf({ poNumber, cells }: Order): string {
  const words = new Set<string>();
  for (const { style, sku, removed } of cells) {
    if (removed) continue;
    words.add(style);
    if (sku !== null) words.add(sku);
  }
  // Sorted, so that the sequence of the rows does not change the text.
  return [poNumber, ...[...words].toSorted()].map(foldWord).join('\n');
}

function partsOf(text: string): string[] {
  const parts = new Set<string>();
  let before = '\n';
  for (const character of text) {
    if (character !== '\n') parts.add(character);
    if (character !== '\n' && before !== '\n') parts.add(before + character);
    before = character;
  }
  return [...parts];
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
