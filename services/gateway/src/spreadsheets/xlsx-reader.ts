import type { ImportTable } from '@po/contracts';
import { Unreadable, readWorkbook } from '@po/spreadsheets';
import { TableBuilder } from './table-builder.js';
import type { SerialQueue } from './serial-queue.js';
import { refusalOf } from './unreadable.js';
import { ZipArchive } from './zip-archive.js';

/** The table in the first sheet of an xlsx workbook. Throws BAD_REQUEST for a file that is none. */
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
    // Archive, compression and XML are read by others' code, which says in its own words what is broken.
    throw refusalOf(error instanceof Unreadable ? error : new Unreadable('damaged'));
  }
  return table.done(false);
}

/** Ours and not the file's: what Node finds wrong with bytes has a code. */
const isBug = (error: unknown): boolean => error instanceof TypeError && !Object.hasOwn(error, 'code');
