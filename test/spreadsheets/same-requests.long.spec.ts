import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { ExportFormat, ImportCell, ImportTable } from '@po/contracts';
import fc from 'fast-check';
import { tableIn } from '../../services/gateway/src/spreadsheets/import-file.js';
import { MEDIA_TYPES } from '../../services/gateway/src/spreadsheets/media-types.js';
import { readSheet } from '../../services/portal/src/import-export/file/read-sheet.js';
import { csvOf, ordersIn } from '../../services/portal/src/import-export/file/split.js';
import { priceIn, qtyIn, textIn } from '../../services/purchase-orders/src/domain/imports/import-values.js';
import { csvs, workbooks } from './files.js';

const tableOf = (bytes: Uint8Array, format: ExportFormat): Promise<ImportTable> =>
  tableIn({ type: MEDIA_TYPES[format], isUtf8: false, bytes: Buffer.from(bytes) });

/** Comparable row id. An id with a quote is invalid, and may get another quote when a workbook is cut. */
function idIn(cell: ImportCell): string {
  const text = cell !== null && typeof cell === 'object' ? '=?' : textIn(cell).toLowerCase();
  return text.includes("'") ? 'none' : text;
}

const meaningOf = (read: ReturnType<typeof qtyIn> | ReturnType<typeof priceIn>) =>
  'fault' in read ? read.fault.code : read.value;

/** Requested changes with their row numbers, as the order service reads them. Rows without any are left out. */
const requestsIn = ({ rows, unclearPoints }: ImportTable) =>
  rows
    .filter((row) => [row.rowHash, row.vendorReplyQty, row.vendorReplyUnitPrice].some((cell) => cell !== null))
    .map((row) => [
      row.row,
      idIn(row.rowHash),
      meaningOf(qtyIn(row.vendorReplyQty)),
      meaningOf(priceIn(row.vendorReplyUnitPrice, unclearPoints)),
    ]);

const summaryOf = (tables: readonly ImportTable[]) => ({
  requests: tables.flatMap(requestsIn).toSorted(([a], [b]) => Number(a) - Number(b)),
  columns: [...new Set(tables.map(({ columns }) => JSON.stringify(columns)))],
});

/** Requests of a file as the gateway reads it whole, and as it reads the parts that the portal cuts out of it. */
async function bothOf(bytes: Uint8Array, format: ExportFormat) {
  const whole = await tableOf(bytes, format);
  const read = await readSheet(bytes, format);
  if ('fault' in read) throw new Error(read.fault);
  const files = ordersIn(read.sheet).map(({ rows }) => Buffer.from(csvOf(read.sheet, rows)));
  const parts = await Promise.all(files.map((file) => tableOf(file, 'csv')));
  return { whole: summaryOf([whole]), parts: { ...summaryOf(parts), columns: summaryOf([whole, ...parts]).columns } };
}

describe('the parts that the portal cuts out of a file request the same changes as the whole file, row by row', () => {
  it('for a CSV', async () => {
    await fc.assert(
      fc.asyncProperty(csvs, async (file) => {
        const { whole, parts } = await bothOf(file, 'csv');
        expect(parts).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });

  it('for a workbook', async () => {
    await fc.assert(
      fc.asyncProperty(workbooks, async (file) => {
        const { whole, parts } = await bothOf(file, 'xlsx');
        expect(parts).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['libreoffice', 'openpyxl'])('for a workbook from %s', async (program) => {
    const file = await readFile(
      new URL(`../../services/gateway/src/fixtures/workbooks/${program}.xlsx`, import.meta.url),
    );
    const { whole, parts } = await bothOf(file, 'xlsx');
    expect(parts).toEqual(whole);
    expect(whole.requests.length).toBeGreaterThan(5);
  });
});
