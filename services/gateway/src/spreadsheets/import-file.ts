import type { ImportTable } from '@po/contracts';
import { tableOfCsv } from './csv-reader.js';
import { MEDIA_TYPES } from './media-types.js';
import { SerialQueue } from './serial-queue.js';
import { tableOfXlsx } from './xlsx-reader.js';

const queue = new SerialQueue();

/** What a file says that is to be imported. Throws BAD_REQUEST for one that is not of its kind. */
export const tableIn = ({
  type,
  isUtf8,
  bytes,
}: {
  type: string;
  isUtf8: boolean;
  bytes: Buffer;
}): Promise<ImportTable> => (type === MEDIA_TYPES.xlsx ? tableOfXlsx(bytes, queue) : tableOfCsv(bytes, isUtf8, queue));
