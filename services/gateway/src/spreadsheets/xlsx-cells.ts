import type { Kind, Value } from './columns.js';

/** Indexes into the workbook's list of cell formats. */
const FORMATS = { general: 0, label: 1, text: 2, date: 3 } as const;

// Characters that XML cannot hold, and the carriage return, which XML would change, are written as _xHHHH_. So is a text that already looks
// like that.
const UNWRITABLE = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
/** Shortcut, because most texts are codes. */
const HARMLESS = /^[A-Za-z0-9 .,;:/()#+*=-]*$/;
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const DAY_MS = 86_400_000;

/** Letters of the first 702 columns; no file has more. */
const LETTERS = Array.from({ length: 26 * 27 }, (_, column) => lettersOf(column));

/** Rows of a sheet as XML, numbered from `first`. */
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
  // No number format: a program that turns 3-4 into a date shows the date only in such a cell, and an import recognizes the date by its
  // format.
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  if (kind === 'date') return `<c r="${reference}" s="${FORMATS.date}"><v>${serialOf(value)}</v></c>`;
  return textXml(value, reference, FORMATS.text);
}

const textXml = (text: string, reference: string, format: number): string =>
  `<c r="${reference}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;

export function escapeXml(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text
    .replaceAll(UNWRITABLE, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>]/g, (character) => MARKUP[character] ?? '');
}

/** A date as the day number of spreadsheets: 1 is 1900-01-01, and 1900 has a February 29. */
function serialOf(date: string): number {
  const days = (Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / DAY_MS;
  return days > 60 ? days : days - 1;
}
