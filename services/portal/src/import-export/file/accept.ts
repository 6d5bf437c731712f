import type { FileFormat } from '../../api/writes.js';
import type { InputError } from './unreadable.js';

export const MAX_BYTES = 5 * 1024 * 1024;
/** File types for the file picker. */
export const ACCEPTED = '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Unsupported spreadsheet formats, which get their own error message. */
const OTHER_SPREADSHEETS = /\.(xls|xlsm|xlsb|xlt|xltx|ods|numbers|et)$/i;

/** Format of an acceptable file, judged only by name and size; otherwise the reason why it is refused. */
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
