import { Unreadable } from '../unreadable.js';

/** A text out of a file. */
export interface DecodedText {
  text: string;
  /** The file does not say what it is written in. */
  isGuessed: boolean;
}

const BYTE_ORDER_MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** As spreadsheet programs in China and in the West write a CSV when nobody tells them UTF-8. Every byte is some text in the last one. */
const GUESSES = ['gb18030', 'windows-1252'] as const;

/**
 * The text of a CSV file: by its byte order mark, else UTF-8. What is neither, and was not said to be UTF-8, is guessed: of labels, digits and
 * hashes a wrong guess changes nothing. Throws Unreadable.
 */
export function textOf(bytes: Uint8Array, saysUtf8: boolean): DecodedText {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  const isUtf16 = marked !== undefined && marked !== 'utf-8';
  if (bytes.length === 0 || (!isUtf16 && bytes.includes(0)) || (isUtf16 && saysUtf8)) throw new Unreadable('notCsv');
  const text = decoded(bytes, marked ?? 'utf-8');
  if (text !== null) return { text, isGuessed: false };
  for (const encoding of marked || saysUtf8 ? [] : GUESSES) {
    const guessed = decoded(bytes, encoding);
    if (guessed !== null) return { text: guessed, isGuessed: true };
  }
  throw new Unreadable('notCsv');
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
