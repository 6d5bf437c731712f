import { escapeGuards } from '@po/spreadsheets';
import type { Sheet } from './sheet.js';

type Rows = Sheet['rows'];

export interface OrderRows {
  /** Empty where the rows do not say it. */
  poRef: string;
  rows: Rows;
}

/** The rows of each order, in the order in which these first come. */
export function ordersIn({ rows }: Sheet): OrderRows[] {
  const orders = new Map<string, Rows>();
  for (const row of rows) {
    const known = orders.get(row.poNumber);
    if (known) known.push(row);
    else orders.set(row.poNumber, [row]);
  }
  return [...orders].map(([poRef, own]) => ({ poRef, rows: own }));
}

/**
 * Some rows of a file as a CSV of their own. Each stands where it stood: rows that are left out are empty lines, so that what the API says
 * of a row is true of the file that people have.
 */
export function csvOf({ labels, unclearPoints }: Sheet, rows: Rows): string {
  const line = (cells: readonly string[]) => cells.map(quoted).join(unclearPoints ? ';' : ',');
  let text = line(labels);
  let last = 1;
  for (const { row, cells } of rows) {
    text += '\n'.repeat(row - last) + line(cells);
    last = row;
  }
  return `${text}\n`;
}

/** A text of a workbook may look guarded: without its quote it would be another. */
const quoted = (cell: string): string => {
  const text = escapeGuards(cell);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
