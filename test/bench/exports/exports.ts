import { orderOf } from '#local/generator/orders.js';
import { progress } from '../lifetime.js';
import type { Quantiles } from '../load/quantiles.js';
import { type RunStart, startOfRun } from '../machine.js';
import { openStack } from '../open-stack.js';
import { allOf, importAll, sameAgain } from '../scale/prepare.js';
import type { HttpRequest } from '../scale/http.js';
import { usageOf } from '../usage.js';
import { vendorTokensOf } from '../vendor-tokens.js';
import { type DownloadRow, download, measureDownload } from './downloads.js';
import { type GreedyRow, measureGreedyUser } from './greedy.js';
import { Neighbour } from './neighbour.js';
import type { ExportsOptions } from './options.js';
import { type StretchRow, measureStretches } from './stretches.js';
import { type UploadRow, largestOrder, measureUploads } from './uploads.js';

const ALONE_SECONDS = 10;

/** It is what `.local/bench-exports.json` holds. */
export interface ExportsResults extends RunStart {
  options: ExportsOptions;
  /** Size rows that the vendor's file has. */
  rows: number;
  /** Requests for one order, when nobody exports. */
  alone: Quantiles & { worst: number };
  downloads: DownloadRow[];
  uploads: UploadRow[];
  greedy: GreedyRow;
  stretches: StretchRow[];
}

/** Files out of many orders, and into a large one: what they take, and what others notice of it. */
export async function measureExports(options: ExportsOptions): Promise<ExportsResults> {
  if (usageOf(process.pid).residentMb === 0) throw new Error('memory is read from /proc: this takes Linux');
  const start = startOfRun();
  const { assortment, rounds } = options;
  const stretches = await measureStretches();
  const opened = await openStack();
  const { stack, settlement } = opened;
  progress(`import ${assortment.orders} orders`);
  await importAll(stack, settlement, allOf(assortment, sameAgain(1)));
  const large = largestOrder(assortment);
  await importAll(stack, settlement, { count: 1, orderAt: () => large });
  await settlement.orders.query('VACUUM ANALYZE');
  const { code } = large.vendor;
  const { rows: counted } = await settlement.orders.query<{ rows: string }>(
    'SELECT count(*) AS rows FROM cells c JOIN purchase_orders o ON o.id = c.order_id WHERE o.vendor_code = $1 AND o.po_number <> $2',
    [code, large.poNumber],
  );
  const [vendor, buyer] = [await (await vendorTokensOf(opened))(code), stack.tokens.buyer ?? ''];
  const path = `/purchase-orders/${orderOf(assortment, 0).poNumber}`;
  const neighbours: HttpRequest = { method: 'GET', path, token: buyer };
  progress('requests alone');
  const neighbour = new Neighbour(stack.gatewayUrl, neighbours);
  await neighbour.askFor(ALONE_SECONDS);
  neighbour.close();
  // Without the large order, which would be too much together with the rest.
  const lines = '&status=New';
  await settlement.orders.query('UPDATE purchase_orders SET status_id = 150 WHERE po_number = $1', [large.poNumber]);
  const downloads: DownloadRow[] = [];
  for (const each of [
    download('lines of a vendor, csv', 'csv', 'lines', vendor, lines),
    download('lines of a vendor, xlsx', 'xlsx', 'lines', vendor, lines),
    download('orders, csv', 'csv', 'orders', buyer),
    download('orders, xlsx', 'xlsx', 'orders', buyer),
    download('lines of all: too large', 'csv', 'lines', buyer),
  ]) {
    downloads.push(await measureDownload(stack, each, neighbours, rounds));
  }
  const uploads = await measureUploads(stack, large.poNumber, vendor, neighbours, rounds);
  const greedy = await measureGreedyUser(stack, buyer, neighbours, rounds);
  return {
    ...start,
    options,
    rows: Number(counted[0]?.rows),
    alone: neighbour.figures(),
    downloads,
    uploads,
    greedy,
    stretches,
  };
}
