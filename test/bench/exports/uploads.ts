import { buffer } from 'node:stream/consumers';
import {
  type ExportFormat,
  type ExportedLines,
  type ImportResult,
  type LineItem,
  MAX_IMPORT_ROWS,
} from '@po/contracts';
import { SHEETS } from '@po/gateway/dist/spreadsheets/columns.js';
import { exportFile } from '@po/gateway/dist/spreadsheets/export-file.js';
import { MEDIA_TYPES } from '@po/gateway/dist/spreadsheets/media-types.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import type { StackFile } from '#local/stack/stack-file.js';
import { progress } from '../lifetime.js';
import { type Quantiles, quantilesOf } from '../load/quantiles.js';
import type { HttpRequest } from '../scale/http.js';
import { Neighbour } from './neighbour.js';

/** Files of a kind that do not count. */
const WARM_UP = 2;

/** A kind of upload: milliseconds of each, and of requests beside. */
export interface UploadRow {
  name: string;
  bytes: number;
  taken: Quantiles;
  beside: Quantiles & { worst: number };
}

/** An order of as many rows as a file may have, of the first vendor and numbered behind the others. */
export function largestOrder(assortment: Assortment) {
  const orders = assortment.orders + 1;
  const more = orderOf({ ...assortment, orders, cells: 2 * MAX_IMPORT_ROWS, vendors: 1 }, assortment.orders);
  return { ...more, sourceRevision: 2, lines: more.lines.slice(0, MAX_IMPORT_ROWS) };
}

/** Uploads files that change all rows of the order, as both kinds, for a look and to be applied. */
export async function measureUploads(
  { gatewayUrl }: StackFile,
  poNumber: string,
  token: string,
  neighbours: HttpRequest,
  rounds: number,
): Promise<UploadRow[]> {
  const path = `${gatewayUrl}/api/purchase-orders/${poNumber}/line-items`;
  const headers = { 'x-user-token': token };
  const items = (await (await fetch(path, { headers })).json()) as LineItem[];
  const rows: UploadRow[] = [];
  let qty = 0;
  for (const format of ['csv', 'xlsx'] as const) {
    for (const dryRun of [true, false]) {
      const name = `${format}, ${dryRun ? 'dry run' : 'applied'}`;
      progress(`import ${MAX_IMPORT_ROWS} rows: ${name}`);
      const taken: number[] = [];
      const files: Buffer[] = [];
      while (files.length < WARM_UP + rounds) files.push(await fileOf(items, poNumber, format, (qty += 1)));
      const neighbour = new Neighbour(gatewayUrl, neighbours);
      await neighbour.beside(async () => {
        for (const [round, body] of files.entries()) {
          const startedAt = performance.now();
          const answer = await fetch(`${path}/import?dryRun=${dryRun}`, {
            ...{ method: 'POST', headers: { ...headers, 'content-type': MEDIA_TYPES[format] } },
            body: new Uint8Array(body),
          });
          const { changes } = (await answer.json()) as ImportResult;
          if (round >= WARM_UP) taken.push(performance.now() - startedAt);
          if (changes?.length !== MAX_IMPORT_ROWS)
            throw new Error(`an import of all rows was answered ${answer.status}`);
        }
      });
      neighbour.close();
      rows.push({ name, bytes: files[0]?.length ?? 0, taken: quantilesOf(taken), beside: neighbour.figures() });
    }
  }
  return rows;
}

/** The order's export with this reply in each row. */
function fileOf(items: readonly LineItem[], poNumber: string, format: ExportFormat, qty: number): Promise<Buffer> {
  const lines = items.flatMap((item) =>
    Object.entries(item.sizes).map(([size, cell]) => ({ ...item, ...cell, size, vendorReplyQty: qty })),
  );
  const page: ExportedLines[] = [{ poNumber, status: 'New', statusZh: '新订单', vendor: 'V', lines }];
  async function* pages() {
    yield await Promise.resolve(Buffer.from(JSON.stringify(page)));
  }
  return buffer(exportFile(format, SHEETS.lines('en'), pages(), 'en'));
}
