import type { ImportTable } from '@po/contracts';
import { tableOfCsv } from './csv-reader.js';
import { MEDIA_TYPES } from './media-types.js';
import { SerialQueue } from './serial-queue.js';
import { tableOfXlsx } from './xlsx-reader.js';

const queue = new SerialQueue();

/** Returns the table of a file to import. Throws BAD_REQUEST if the file is not of its type. */
export const tableIn = ({
  type,
  isUtf8,
  bytes,
}: {
  type: string;
  isUtf8: boolean;
  bytes: Buffer;
}): Promise<ImportTable> => (type === MEDIA_TYPES.xlsx ? tableOfXlsx(bytes, queue) : tableOfCsv(bytes, isUtf8, queue));
