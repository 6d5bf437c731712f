import type { FileFormat } from '../../api/writes.js';
import type { InputError } from './unreadable.js';

export const MAX_BYTES = 5 * 1024 * 1024;
/** For the dialog that files are chosen in. */
export const ACCEPTED = '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What spreadsheet programs write and this does not take, to be told apart from what is no spreadsheet. */
const OTHER_SPREADSHEETS = /\.(xls|xlsm|xlsb|xlt|xltx|ods|numbers|et)$/i;

/** The kind of a file that may be tried, by its name and size alone; else what is wrong with it. */
export function acceptanceOf(files: readonly { name: string; size: number }[]): FileFormat | { fault: InputError } {
  const [file] = files;
  if (!file) return { fault: 'wrongKind' };
  if (files.length > 1) return { fault: 'several' };
  const [, kind] = /\.(csv|xlsx)$/i.exec(file.name) ?? [];
  if (kind === undefined) return { fault: OTHER_SPREADSHEETS.test(file.name) ? 'olderKind' : 'wrongKind' };
  if (file.size === 0) return { fault: 'empty' };
  if (file.size > MAX_BYTES) return { fault: 'tooLarge' };
  return kind.toLowerCase() as FileFormat;
}
