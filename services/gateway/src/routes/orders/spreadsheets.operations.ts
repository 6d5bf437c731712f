import { ExportParameters, ImportParameters, ImportResult, MAX_EXPORT_ROWS, MAX_IMPORT_ROWS } from '@po/contracts';
import { MAX_BODY_BYTES } from '../../admission/limits.js';
import { CONTENT_TYPES, MEDIA_TYPES } from '../../spreadsheets/media-types.js';
import { custom } from '../operation.js';
import { poRef } from './purchase-orders.operations.js';

export const spreadsheets = {
  exportPurchaseOrders: custom({
    tag: 'Purchase orders',
    summary: 'The purchase orders of a list, or their size rows, as a file for spreadsheet programs.',
    description: [
      'Takes every filter and the sorting of the list. The first row has the labels, in the language of `Accept-Language`; statuses are',
      'in that language, too. Dates are `YYYY-MM-DD`, numbers have a point and no thousands separators. CSV is UTF-8 with a byte order mark,',
      "its lines end in CRLF, and a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return has a `'` before it; so has each such",
      'sign behind a semicolon, a tab or a line break in a text, where programs may split a cell, also in full width. An import takes these',
      `off again. xlsx has real dates and numbers, and texts as they are. More than ${MAX_EXPORT_ROWS} rows are refused before the file begins. A file that cannot be`,
      'finished breaks off with its connection, also one that its client takes too slowly or whose orders get other rows meanwhile: a download',
      'that ended without error is whole. `X-Total-Count` says how many rows there are below the labels: behind a proxy of HTTP/1.0, where a',
      'connection that breaks looks like an end, a file with fewer was cut.',
    ].join(' '),
    method: 'GET',
    path: '/purchase-order-exports',
    query: ExportParameters,
    refusals: ['EXPORT_TOO_LARGE', 'TOO_MANY_EXPORTS'],
    reply: { media: Object.values(CONTENT_TYPES) },
    headers: ['content-disposition', 'x-total-count'],
  }),

  importLineItems: custom({
    tag: 'Purchase orders',
    summary: "Changes the vendor's reply to quantities and prices by a file, all or nothing.",
    description: [
      `At most ${MAX_IMPORT_ROWS} rows. The first row has the labels; read are "Row ID", "Reply Qty" and "Reply Price", in English or Chinese and`,
      'in any order, of which one of the last two may be absent. An empty cell, or one that says what is stored, changes nothing; `clear`',
      'removes a reply. A price is that of its whole item, and one changed row of it is enough. Of a workbook the first visible sheet is read,',
      'and of a formula the value that is stored; a number that is shown as a date, a time or a percentage is refused. CSV may be separated by',
      'commas, semicolons or tabs, and decimals may have a comma where that cannot be taken for a thousands separator. A point before three',
      'digits is refused in quantities, and in prices that are texts of a workbook, or of a CSV that has decimal commas or is separated by',
      'semicolons or tabs. With `dryRun=true` nothing is changed, and errors of the file are part of the answer. Who may not import into the',
      'order is refused while the file is still sent.',
    ].join(' '),
    method: 'POST',
    path: '/purchase-orders/:poRef/line-items/import',
    params: { poRef },
    query: ImportParameters,
    body: { media: Object.values(MEDIA_TYPES), maxBytes: MAX_BODY_BYTES },
    conditions: 'write',
    refusals: ['BAD_REQUEST', 'PO_NOT_EDITABLE', 'IMPORT_INVALID'],
    reply: ImportResult,
  }),
};
