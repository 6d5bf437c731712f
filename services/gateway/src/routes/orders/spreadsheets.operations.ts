import { ExportParameters, ImportParameters, ImportResult, MAX_EXPORT_ROWS, MAX_IMPORT_ROWS } from '@po/contracts';
import { MAX_BODY_BYTES } from '../../admission/limits.js';
import { CONTENT_TYPES, MEDIA_TYPES } from '../../spreadsheets/media-types.js';
import { custom } from '../operation.js';
import { poRef } from './purchase-orders.operations.js';

export const spreadsheets = {
  exportPurchaseOrders: custom({
    tag: 'Purchase orders',
    summary: 'The purchase orders of a list, or their lines, as a file for spreadsheet programs.',
    description: [
      'Accepts every filter and the sorting of the list. The first row has the labels; labels and statuses are in the language of',
      '`Accept-Language`. Dates are `YYYY-MM-DD`; numbers have a decimal point and no thousands separators. CSV is UTF-8 with a byte order',
      "mark and CRLF line ends. A CSV text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a leading `'`; so does such a",
      'sign after a semicolon, tab or line break within a text, where programs may split a cell. Full-width signs count, too. An import',
      `removes these. xlsx has real dates and numbers, and unchanged texts. More than ${MAX_EXPORT_ROWS} rows are refused before the file begins. If a file`,
      'cannot be finished, or the client reads too slowly, or rows of its orders change meanwhile, the connection is aborted: a download',
      'without an error is complete. `X-Total-Count` is the number of rows below the labels: behind an HTTP/1.0 proxy, where an aborted',
      'connection looks like a normal end, a file with fewer rows is incomplete.',
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
    summary: "Changes the vendor's reply to quantities and prices from a file, all or nothing.",
    description: [
      `At most ${MAX_IMPORT_ROWS} rows. The first row has the labels. The columns "Row ID", "Reply Qty" and "Reply Price" are read, with labels in`,
      'English or Chinese and in any order; one of the last two may be absent. An empty cell, or one that equals the stored reply, changes',
      'nothing; `clear` removes a reply. A price applies to the whole item, so one changed row of the item is enough. The first visible sheet',
      'of a workbook is read, and the stored value of a formula; a number formatted as a date, a time or a percentage is refused. CSV may be',
      'separated by commas, semicolons or tabs, and may use decimal commas that cannot be confused with thousands separators. A point before',
      'three digits is refused in quantities, in prices that a workbook stores as text, and in prices of a CSV that has decimal commas or is',
      'separated by semicolons or tabs. With `dryRun=true` nothing is changed, and errors of the file are part of the answer. A caller who may',
      'not import into the order is refused while the file is still being sent.',
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
