import type { Kind, Value } from './columns.js';

/** Places in the workbook's list of cell formats. */
const FORMATS = { general: 0, label: 1, text: 2, date: 3 } as const;

// What XML cannot hold, or a carriage return, which it would change, is written as _xHHHH_, and therefore what looks like that, too.
const UNWRITABLE = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
/** Most texts are codes. */
const HARMLESS = /^[A-Za-z0-9 .,;:/()#+*=-]*$/;
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const DAY_MS = 86_400_000;

/** The letters of the first columns; no file has more. */
const LETTERS = Array.from({ length: 26 * 27 }, (_, column) => lettersOf(column));

/** Rows of a sheet as XML, numbered from `first` on. */
export function sheetRows(rows: readonly Value[][], kinds: readonly Kind[], first: number): string {
  let xml = '';
  for (const [index, row] of rows.entries()) {
    const number = first + index;
    xml += `<row r="${number}">`;
    for (const [column, value] of row.entries()) xml += cellXml(value, kinds[column], `${LETTERS[column]}${number}`);
    xml += '</row>';
  }
  return xml;
}

export const labelRow = (labels: readonly string[]): string =>
  `<row r="1">${labels.map((label, column) => textXml(label, `${LETTERS[column]}1`, FORMATS.label)).join('')}</row>`;

function lettersOf(column: number): string {
  return (column >= 26 ? lettersOf(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}

function cellXml(value: Value, kind: Kind | undefined, reference: string): string {
  if (value === null) return '';
  // Of no number format: programs that make a date of 3-4 show it only in such a cell, and an import knows it by that.
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  if (kind === 'date') return `<c r="${reference}" s="${FORMATS.date}"><v>${serialOf(value)}</v></c>`;
  return textXml(value, reference, FORMATS.text);
}

const textXml = (text: string, reference: string, format: number): string =>
  `<c r="${reference}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

export function escaped(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text
    .replaceAll(UNWRITABLE, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>]/g, (character) => MARKUP[character] ?? '');
}

/** A date as spreadsheets count days: 1 is 1900-01-01, and for them 1900 had a February 29. */
function serialOf(date: string): number {
  const days = (Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / DAY_MS;
  return days > 60 ? days : days - 1;
}
