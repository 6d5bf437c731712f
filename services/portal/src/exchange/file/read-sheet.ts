import type { FileFormat } from '../../api/writes.js';
import { rowsOfCsv } from './csv.js';
import { type Sheet, sheetOf } from './sheet.js';
import { type Fault, UnreadableFile } from './unreadable.js';
import { rowsOfXlsx } from './xlsx.js';

/** What a file says, or why it cannot be read. */
export function readSheet(bytes: Uint8Array, kind: FileFormat): { sheet: Sheet } | { fault: Fault } {
  try {
    const sheet = sheetOf(kind === 'csv' ? rowsOfCsv(bytes) : rowsOfXlsx(bytes));
    return sheet.hasRowIds ? { sheet } : { fault: 'noRowIds' };
  } catch (error) {
    if (error instanceof UnreadableFile) return { fault: error.fault };
    throw error;
  }
}
