import { createHash } from 'node:crypto';
import { setImmediate as nextRound } from 'node:timers/promises';
import { buffer, text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { ExportFormat, ExportedLine, Locale } from '@po/contracts';
import fc from 'fast-check';
import { eventually } from '@po/testing/eventually';
import { exportedLine, exportedLines, exportedOrder, pageOf } from '../fixtures/sample-exports.js';
import { SHEETS } from './columns.js';
import { exportFile } from './export-file.js';
import { tableIn } from './import-file.js';
import { MEDIA_TYPES } from './media-types.js';

const FORMATS = Object.keys(MEDIA_TYPES) as ExportFormat[];

async function* pagesOf(...pages: object[]): AsyncGenerator<Buffer> {
  for (const page of pages) yield await Promise.resolve(pageOf(page));
}

const linesFile = (format: ExportFormat, lines: ExportedLine[], locale: Locale = 'en'): Readable =>
  exportFile(format, SHEETS.lines(locale), pagesOf([exportedLines(lines)]), locale);
const reread = async (format: ExportFormat, file: Readable) =>
  tableIn({ type: MEDIA_TYPES[format], isUtf8: false, bytes: await buffer(file) });

/** Digests hardly compress, so the compression does not hide what is written ahead of the client. */
const digest = (index: number) => createHash('sha512').update(String(index)).digest('base64');

describe('a CSV file', () => {
  it('of lines has the documented columns in both languages', async () => {
    const line = exportedLine({ vendorReplyQty: 0, agreedQty: 19, vendorReplyUnitPrice: 11.25, color: '=NVY' });
    const bytes = await buffer(linesFile('csv', [line]));
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const hash = line.rowHash;
    expect(bytes.toString('utf8').slice(1)).toBe(
      'PO Number,Status,Vendor,Row ID,Line ID,Code,Style,Color,Size,Original Qty,Reply Qty,Agreed Qty,Qty,Original Price,Reply Price,Agreed Price,Price\r\n' +
        `PO-1,In Revision,Acme Apparel Ltd.,${hash},007,TS-100-NVY,TS-100,'=NVY,M,20,0,19,20,12.5,11.25,,12.5\r\n`,
    );
    expect((await text(linesFile('csv', [line], 'zh'))).slice(0)).toBe(
      '订单号,状态,供应商,行标识,行号,货号,款号,颜色,尺码,原数量,回复数量,约定数量,数量,原单价,回复单价,约定单价,单价\r\n' +
        `PO-1,修订中,Acme Apparel Ltd.,${hash},007,TS-100-NVY,TS-100,'=NVY,M,20,0,19,20,12.5,11.25,,12.5\r\n`,
    );
  });

  it.each<[Locale, string]>([
    [
      'en',
      'PO Number,Status,Vendor,PO Date,Original XFD,Reply XFD,XFD,Currency,Original Amount,Amount,Original Qty,Qty,Container,Tracking\r\n' +
        "PO-1,In Revision,Acme Apparel Ltd.,2026-01-05,2026-03-01,,2026-03-01,USD,1300,1234.5,65,60,'+C1,\r\n",
    ],
    [
      'zh',
      '订单号,状态,供应商,下单日期,原离厂日期,回复离厂日期,离厂日期,币种,原金额,金额,原数量,数量,柜号,运单号\r\n' +
        "PO-1,修订中,Acme Apparel Ltd.,2026-01-05,2026-03-01,,2026-03-01,USD,1300,1234.5,65,60,'+C1,\r\n",
    ],
  ])('of orders has the documented columns in %s', async (locale, expected) => {
    const pages = pagesOf([exportedOrder({ containerNumber: '+C1' })]);
    expect(await text(exportFile('csv', SHEETS.orders(locale), pages, locale))).toBe(expected);
  });
});

describe.each(FORMATS)('an export file as %s', (format) => {
  it('has its labels even without rows', async () => {
    const table = await reread(format, exportFile(format, SHEETS.lines('en'), pagesOf(), 'en'));
    expect(table).toEqual({
      columns: { rowHash: 'Row ID', vendorReplyQty: 'Reply Qty', vendorReplyUnitPrice: 'Reply Price' },
      repeated: [],
      rows: [],
      tooMany: null,
    });
  });

  it('has the rows of all pages, one below the other', async () => {
    const page = (from: number, count: number) => [
      exportedLines(Array.from({ length: count }, (_, index) => exportedLine({ vendorReplyQty: from + index }))),
    ];
    const { rows, tooMany } = await reread(
      format,
      exportFile(format, SHEETS.lines('zh'), pagesOf(page(0, 3), page(3, 2), []), 'zh'),
    );
    expect(rows.map(({ row, vendorReplyQty }) => [row, Number(vendorReplyQty)])).toEqual([
      [2, 0],
      [3, 1],
      [4, 2],
      [5, 3],
      [6, 4],
    ]);
    expect(tooMany).toBeNull();
  });

  it('can be imported unchanged, whatever is in its other columns', async () => {
    const line = fc.record({
      rowHash: fc.stringMatching(/^[0-9a-f]{32}$/),
      color: fc.string({ maxLength: 20 }),
      style: fc.constantFrom('=A1', "'x", '"', ',', '\r\n', '-', 'Row ID', '\t', '_x0041_', ' '),
      vendorReplyQty: fc.option(fc.nat(9_999_999)),
      vendorReplyUnitPrice: fc.option(
        fc.bigInt({ min: 1n, max: 99_999_999_999_999n }).map((price) => Number(price) / 10_000),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 5 }), fc.constantFrom<Locale>('en', 'zh'), async (lines, locale) => {
        const { rows } = await reread(format, linesFile(format, lines.map(exportedLine), locale));
        const numberOf = (cell: unknown) => (typeof cell === 'string' ? Number(cell) : cell);
        expect(
          rows.map(({ rowHash, vendorReplyQty, vendorReplyUnitPrice }) => [
            rowHash,
            numberOf(vendorReplyQty),
            numberOf(vendorReplyUnitPrice),
          ]),
        ).toEqual(
          lines.map(({ rowHash, vendorReplyQty, vendorReplyUnitPrice }) => [
            rowHash,
            vendorReplyQty,
            vendorReplyUnitPrice,
          ]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('with more rows than an import accepts is read no further than these', async () => {
    const page = [exportedLines(Array.from({ length: 1_000 }, () => exportedLine({ style: 'x'.repeat(200) })))];
    const { tooMany } = await reread(
      format,
      exportFile(format, SHEETS.lines('en'), pagesOf(...Array.from({ length: 20 }, () => page)), 'en'),
    );
    expect(tooMany).toBe(5_002);
  });

  it('requests a page when the output before it has been read, and none after the reader has left', async () => {
    let pagesRequested = 0;
    let ended = false;
    const lines = Array.from({ length: 500 }, (_, index) =>
      exportedLine({ code: digest(index), style: digest(-index) }),
    );
    const page = pageOf([exportedLines(lines)]);
    async function* pages(): AsyncGenerator<Buffer> {
      try {
        for (pagesRequested = 1; ; pagesRequested += 1) yield await Promise.resolve(page);
      } finally {
        ended = true;
      }
    }
    const file = exportFile(format, SHEETS.lines('en'), pages(), 'en');
    const written = () => file.read() !== null;
    await eventually('the file has begun', () => written() && pagesRequested > 0);
    for (let round = 0; round < 200; round += 1) await nextRound();
    const ahead = pagesRequested;
    // As much as the streams in between buffer, some of it compressed.
    expect(ahead).toBeLessThan(8);
    await eventually('the file continues as it is read', () => written() && pagesRequested > ahead);
    file.destroy();
    await eventually('the pages are closed', () => ended);
    const last = pagesRequested;
    for (let round = 0; round < 50; round += 1) await nextRound();
    expect(pagesRequested).toBe(last);
  });

  it('comes in pieces, between which the rate of the client is measured', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => exportedLine({ style: digest(index) }));
    const pieces: number[] = [];
    for await (const piece of linesFile(format, lines)) pieces.push((piece as Buffer).length);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(16 * 1024);
  });

  it('fails when a page is unavailable', async () => {
    async function* pages(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(pageOf([exportedLines([exportedLine()])]));
      throw new Error('the second page is away');
    }
    await expect(buffer(exportFile(format, SHEETS.lines('en'), pages(), 'en'))).rejects.toThrow(
      'the second page is away',
    );
  });
});
