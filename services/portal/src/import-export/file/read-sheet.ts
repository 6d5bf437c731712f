import { readWorkbook } from '@po/spreadsheets';
import type { FileFormat } from '../../api/writes.js';
import { archiveOf } from './archive.js';
import { readCsv } from './csv.js';
import { type Sheet, SheetBuilder } from './sheet.js';
import { type InputError, inputErrorOf } from './unreadable.js';

export async function readSheet(
  bytes: Uint8Array,
  kind: FileFormat,
): Promise<{ sheet: Sheet } | { fault: InputError }> {
  const rows = new SheetBuilder();
  let delimiter = '';
  try {
    if (kind === 'csv') delimiter = readCsv(bytes, rows);
    // In a worker nothing else waits for the thread, so no pauses are needed.
    else await readWorkbook(bytes, archiveOf, rows, (work) => work());
  } catch (error) {
    return { fault: inputErrorOf(error, kind === 'csv' ? 'notCsv' : 'damaged') };
  }
  const sheet = rows.done(delimiter === ',');
  return sheet.hasRowIds ? { sheet } : { fault: 'noRowIds' };
}
