import { Readable } from 'node:stream';
import type { ExportFormat, Locale } from '@po/contracts';
import { ZipFile } from 'yazl';
import { piecesOf } from '../admission/download-watch.js';
import type { Sheet } from './columns.js';
import { BOM, csvOf } from './csv-writer.js';
import { SerialQueue } from './serial-queue.js';
import { labelRow, sheetRows } from './xlsx-cells.js';
import { SHEET_PATH, SHEET_TAIL, sheetHead, workbookParts } from './xlsx-parts.js';

const SHEET_NAMES: Readonly<Record<Locale, string>> = { en: 'Purchase orders', zh: '采购订单' };
/** The default level takes three times as long for a file that is a tenth smaller. */
const COMPRESSION_LEVEL = 2;

const queue = new SerialQueue();

/**
 * Creates a file of the rows in these pages, which are JSON. A page is requested when the reader has read the output of those before.
 * Destroying the stream ends the requests. An error of the pages destroys the stream.
 */
export function exportFile<Page>(
  format: ExportFormat,
  sheet: Sheet<Page>,
  pages: AsyncIterable<Buffer>,
  locale: Locale,
): Readable {
  switch (format) {
    case 'csv':
      return Readable.from(csvPieces(sheet, pages), { objectMode: false, highWaterMark: 1 });
    case 'xlsx':
      return workbook(Readable.from(xlsxPieces(sheet, pages), { objectMode: false, highWaterMark: 1 }), locale);
    default:
      return format satisfies never;
  }
}

async function* csvPieces<Page>({ labels, kinds, rowsOf }: Sheet<Page>, pages: AsyncIterable<Buffer>) {
  yield Buffer.from(BOM + csvOf([labels], kinds));
  for await (const page of pages) {
    yield* piecesOf(await queue.run(() => Buffer.from(csvOf(rowsOf(parsed(page)), kinds))));
  }
}

async function* xlsxPieces<Page>({ labels, kinds, rowsOf }: Sheet<Page>, pages: AsyncIterable<Buffer>) {
  yield Buffer.from(sheetHead(kinds) + labelRow(labels));
  let next = 2;
  for await (const page of pages) {
    yield await queue.run(() => {
      const rows = rowsOf(parsed(page));
      const first = next;
      next += rows.length;
      return Buffer.from(sheetRows(rows, kinds, first));
    });
  }
  yield Buffer.from(SHEET_TAIL);
}

/** The workbook around its sheet, zipped as it is produced. */
function workbook(sheet: Readable, locale: Locale): Readable {
  const zip = new ZipFile();
  const file = zip.outputStream as Readable;
  // The archive does not forward either event: after an error the file must not look complete, and without a reader the sheet must stop.
  sheet.on('error', (error) => file.destroy(error));
  file.on('close', () => sheet.destroy());
  for (const [path, xml] of Object.entries(workbookParts(SHEET_NAMES[locale]))) zip.addBuffer(Buffer.from(xml), path);
  zip.addReadStream(sheet, SHEET_PATH, { compressionLevel: COMPRESSION_LEVEL });
  zip.end();
  return file;
}

const parsed = <Page>(page: Buffer): Page => JSON.parse(page.toString('utf8')) as Page;
