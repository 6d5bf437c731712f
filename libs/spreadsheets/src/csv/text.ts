import { Unreadable } from '../unreadable.js';

/** Decoded text of a file. */
export interface DecodedText {
  text: string;
  /** The encoding was guessed, because the file does not declare it. */
  isGuessed: boolean;
}

const BYTE_ORDER_MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/**
 * Encodings in which Chinese and Western spreadsheet programs write CSV unless set to UTF-8. In the last one, any byte sequence is valid.
 */
const GUESSES = ['gb18030', 'windows-1252'] as const;

/**
 * Decodes a CSV file by its byte order mark, otherwise as UTF-8. If both fail and the file was not declared as UTF-8, guesses the encoding:
 * a wrong guess does not change labels, digits and hashes. Throws Unreadable.
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
