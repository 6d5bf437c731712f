import { hash } from 'node:crypto';
import type { Order } from '../domain/order.js';

/** A text that orders of one vendor are found by. */
export interface SearchEntry {
  /** 32 hex digits, which the vendor and the text decide. */
  id: string;
  vendorCode: string;
  text: string;
}

/** What a search finds an order by, in both forms: all words of it, one a line, and as entries. */
export interface SearchTexts {
  text: string;
  entries: SearchEntry[];
}

/** Folds text for comparison regardless of case: the same fold on both sides, whatever the database's locale. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The condition on an order's row, as its index has it, that a version wrote its search text which knows no entries. */
export const WITHOUT_ENTRIES = `right(search_text, 1) <> E'\\n'`;

/**
 * PO number, styles and SKUs of the rows that are part of the order. Its entries are the PO number, and for each article its style with
 * its SKUs: an article has the same text in all orders that have it in the same sizes, and is stored once for all of them.
 */
export function searchTextsOf(order: Order): SearchTexts {
  const { vendorCode } = order;
  const texts = textsOf(order);
  return {
    text: wordsIn(texts),
    entries: [...texts].map((text) => ({ id: entryIdOf(vendorCode, text), vendorCode, text })),
  };
}

/** As `searchTextsOf` the order as it is now; null where it is found by the same words as before. */
export function changedSearchTexts(before: Order, after: Order): SearchTexts | null {
  return wordsIn(textsOf(before)) === wordsIn(textsOf(after)) ? null : searchTextsOf(after);
}

function textsOf({ poNumber, cells }: Order): Set<string> {
  const articles = new Map<string, Set<string>>();
  for (const { code, style, sku, removed } of cells) {
    if (removed) continue;
    const article = `${code}\n${style}`;
    const words = articles.get(article) ?? new Set([style]);
    if (sku !== null) words.add(sku);
    articles.set(article, words);
  }
  const texts = new Set([fold(poNumber)]);
  for (const words of articles.values()) texts.add(fold([...words].toSorted().join('\n')));
  return texts;
}

function wordsIn(texts: ReadonlySet<string>): string {
  const words = new Set([...texts].flatMap((text) => text.split('\n')));
  // The last line feed says that the entries are stored: versions that know none write the text without.
  return `${[...words].join('\n')}\n`;
}

/** The parts of one and of two characters that a text has. */
export function shortGramsOf(text: string): string[] {
  const grams = new Set<string>();
  let before = '\n';
  for (const character of text) {
    // A search never has a line feed in it.
    if (character !== '\n') grams.add(character);
    if (character !== '\n' && before !== '\n') grams.add(before + character);
    before = character;
  }
  return [...grams];
}

const entryIdOf = (vendorCode: string, text: string): string => hash('sha256', `${vendorCode}\n${text}`).slice(0, 32);
