import type { ImportTable } from '@po/contracts';
import { tableOfCsv } from './csv-reader.js';
import { MEDIA_TYPES } from './media-types.js';
import { Turns } from './turns.js';
import { tableOfXlsx } from './xlsx-reader.js';

const turns = new Turns();

/** What a file says that is to be imported. Throws BAD_REQUEST for one that is not of its kind. */
export const tableIn = ({
  type,
  isUtf8,
  bytes,
}: {
  type: string;
  isUtf8: boolean;
  bytes: Buffer;
}): Promise<ImportTable> => (type === MEDIA_TYPES.xlsx ? tableOfXlsx(bytes, turns) : tableOfCsv(bytes, isUtf8, turns));
