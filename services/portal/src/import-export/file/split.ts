import { escapeGuards } from '@po/spreadsheets';
import type { Sheet } from './sheet.js';

type Rows = Sheet['rows'];

export interface OrderRows {
  /** Empty if the rows have no PO number. */
  poRef: string;
  rows: Rows;
}

/** Rows by order, sorted by the first row of each order. */
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
 * Some rows of a file as a separate CSV. Each row keeps its line number: omitted rows become empty lines, so that row numbers in errors
 * of the API match the user's file.
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

/** Escapes text that looks like a guarded cell, because the API would remove its leading quote. */
const quoted = (cell: string): string => {
  const text = escapeGuards(cell);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
