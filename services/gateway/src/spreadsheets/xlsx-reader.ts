import type { ImportTable } from '@po/contracts';
import { Unreadable, readWorkbook } from '@po/spreadsheets';
import { TableBuilder } from './table-builder.js';
import type { SerialQueue } from './serial-queue.js';
import { refusalOf } from './unreadable.js';
import { ZipArchive } from './zip-archive.js';

/** Returns the table in the first visible sheet of an xlsx workbook. Throws BAD_REQUEST if the file is not a workbook. */
export async function tableOfXlsx(bytes: Buffer, queue: SerialQueue): Promise<ImportTable> {
  const table = new TableBuilder();
  try {
    await readWorkbook(
      bytes,
      () => ZipArchive.open(bytes),
      table,
      (work) => queue.run(work),
    );
  } catch (error) {
    if (isBug(error)) throw error;
    // Archive, compression and XML are read by libraries, which throw errors of their own.
    throw refusalOf(error instanceof Unreadable ? error : new Unreadable('damaged'));
  }
  return table.done(false);
}

/** True for a defect of this code: errors that Node reports about the bytes have a code. */
const isBug = (error: unknown): boolean => error instanceof TypeError && !Object.hasOwn(error, 'code');
