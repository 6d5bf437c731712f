import { guardFormulas } from '@po/spreadsheets';
import type { Kind, Value } from './columns.js';

/** Byte order mark, by which spreadsheet programs recognize UTF-8. */
export const BOM = '\ufeff';

const QUOTED = /[",\r\n]/;

/** Rows as CSV (RFC 4180), each with its line break. */
export const csvOf = (rows: readonly Value[][], kinds: readonly Kind[]): string =>
  rows.map((row) => `${row.map((value, column) => cellOf(value, kinds[column])).join()}\r\n`).join('');

function cellOf(value: Value, kind: Kind | undefined): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = kind === 'text' ? guardFormulas(value) : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
