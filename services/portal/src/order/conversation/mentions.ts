import type { Mention } from '../../api/schemas.js';

export interface Mentioned extends Mention {
  isVendor: boolean;
}

/** A mention being typed: position of the `@`, and the search text after it. */
export interface MentionQuery {
  from: number;
  query: string;
}

const MAX_QUERY = 40;
const MAX_WORDS = 3;
/** A character that makes the following `@` part of an e-mail address. */
const ADDRESS_CHARACTER = /[\w.%+-]/;
/** Letters of scripts with spaces between words, and digits. Chinese text may follow a name directly. */
const WORD_CHARACTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}]/u;

/** Name of a user in a message, without the `@`. */
export const labelOf = ({ name, userId }: Mention): string => name ?? userId;

/** The mention being typed at the caret; null if there is none. `known`: users chosen before. */
export function mentionQueryAt(text: string, caret: number, known: readonly Mention[]): MentionQuery | null {
  const from = text.slice(0, caret).lastIndexOf('@');
  if (from === -1 || (from > 0 && ADDRESS_CHARACTER.test(text.charAt(from - 1)))) return null;
  const query = text.slice(from + 1, caret);
  if (query.length > MAX_QUERY || /^\s|\n/.test(query) || query.split(/\s+/).length > MAX_WORDS) return null;
  if (known.some((one) => startsWithLabel(query, labelOf(one)))) return null;
  return { from, query };
}

/** The text with the query replaced by the user's name, and the new caret position. */
export function completed(text: string, { from, query }: MentionQuery, one: Mention): { text: string; caret: number } {
  const mention = `@${labelOf(one)} `;
  const rest = text.slice(from + 1 + query.length).replace(/^ /, '');
  return { text: text.slice(0, from) + mention + rest, caret: from + mention.length };
}

/** The chosen users whom the text still mentions, each once. */
export function mentionedIn<T extends Mention>(text: string, chosen: readonly T[]): T[] {
  const found = new Set(partsOf(text, chosen).map(({ mention }) => mention?.userId));
  return chosen.filter(
    ({ userId }, index) => found.has(userId) && chosen.findIndex((one) => one.userId === userId) === index,
  );
}

/** Users mentioned after `one` was chosen. A user no longer in the text makes room for others of the same name. */
export const withChosen = <T extends Mention>(text: string, mentions: readonly T[], one: T): T[] => [
  ...mentionedIn(text, [one, ...mentions]).filter(({ userId }) => userId !== one.userId),
  one,
];

interface Part<T> {
  /** Start of the part in the text. */
  at: number;
  text: string;
  /** The mentioned user; null for plain text. */
  mention: T | null;
}

/** Splits a text at its mentions. Two users with the same name get separate mentions. */
export function partsOf<T extends Mention>(text: string, mentions: readonly T[]): Part<T>[] {
  const byLength = mentions.toSorted((one, other) => labelOf(other).length - labelOf(one).length);
  const used = new Set<T>();
  const parts: Part<T>[] = [];
  let start = 0;
  const plainUpTo = (end: number) => {
    if (end > start) parts.push({ at: start, text: text.slice(start, end), mention: null });
  };
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const behind = text.slice(at + 1);
    const fitting = byLength.filter((one) => startsWithLabel(behind, labelOf(one)));
    const longest = fitting.filter((one) => fitting[0] && labelOf(one) === labelOf(fitting[0]));
    const mention = longest.find((one) => !used.has(one)) ?? longest[0];
    if (at < start || !mention) continue;
    used.add(mention);
    plainUpTo(at);
    start = at + 1 + labelOf(mention).length;
    parts.push({ at, text: text.slice(at, start), mention });
  }
  plainUpTo(text.length);
  return parts;
}

/** True if the label is followed by a word boundary: `@Lisa` does not mention Li. */
function startsWithLabel(text: string, label: string): boolean {
  if (!text.startsWith(label)) return false;
  return !(WORD_CHARACTER.test(label.slice(-1)) && WORD_CHARACTER.test(text.charAt(label.length)));
}
