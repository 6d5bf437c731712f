import { isUtf8 } from 'node:buffer';
import { unreadable } from './unreadable.js';

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

/** The refusal of what is no CSV. */
export const noCsv = () =>
  unreadable(
    'The file is no CSV: it must be text in UTF-8 with one row a line, its cells separated by commas, semicolons or tabs.',
    '该文件不是 CSV：必须是 UTF-8 文本，每行一条记录，单元格以逗号、分号或制表符分隔。',
  );

/**
 * The text of a CSV file: by its byte order mark, else UTF-8. What is neither, and was not said to be UTF-8, is read as spreadsheet programs
 * in China and in the West write it when nobody tells them UTF-8: of labels, digits and hashes a wrong guess changes nothing.
 */
export function textOf(bytes: Buffer, saysUtf8: boolean): DecodedText {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const isUtf16 = marked !== undefined && marked[0] !== 'utf-8';
  if (bytes.length === 0 || (!isUtf16 && bytes.includes(0)) || (isUtf16 && saysUtf8)) throw noCsv();
  const text = marked ? decoded(bytes, marked[0]) : isUtf8(bytes) ? bytes.toString('utf8') : null;
  if (text !== null) return { text, isGuessed: false };
  if (marked || saysUtf8) throw noCsv();
  return { text: decoded(bytes, 'gb18030') ?? bytes.toString('latin1'), isGuessed: true };
}

function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
