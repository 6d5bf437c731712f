import { columnOf } from './columns.js';

/** A row as a file has it: `row` as people count, the labels stand in row 1. */
export interface FileRow {
  row: number;
  /** By position; what is missing is empty. */
  cells: readonly (string | undefined)[];
}

/** What a file says as far as an import looks at it. */
export interface Sheet {
  /** Of the columns that the API reads, as the file writes them. */
  labels: string[];
  /** Whether it has the column that tells which rows are meant. */
  hasRowIds: boolean;
  /** The rows with anything in those columns; `cells` are in the order of `labels`. */
  rows: { row: number; poNumber: string; cells: string[] }[];
}

/** Takes the labels out of row 1, and of the rows below what stands in the columns that are read. */
export function sheetOf(rows: Iterable<FileRow>): Sheet {
  const sheet: Sheet = { labels: [], hasRowIds: false, rows: [] };
  const read: number[] = [];
  let order: number | null = null;
  for (const { row, cells } of rows) {
    if (row === 1) {
      for (const [position, label = ''] of cells.entries()) {
        const column = columnOf(label);
        if (column === 'poNumber') order ??= position;
        else if (column) {
          read.push(position);
          sheet.labels.push(label.trim());
          sheet.hasRowIds ||= column === 'rowHash';
        }
      }
      continue;
    }
    const taken = read.map((position) => cells[position]?.trim() ?? '');
    const poNumber = order === null ? '' : canonical(cells[order] ?? '');
    if (poNumber !== '' || taken.some((cell) => cell !== '')) sheet.rows.push({ row, poNumber, cells: taken });
  }
  return sheet;
}

/** A PO number as the API writes it, whatever people and input methods made of it. */
export const canonical = (poNumber: string): string => poNumber.normalize('NFKC').trim().toUpperCase();
