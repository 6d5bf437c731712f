import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { type ExportFormat, type LineItem, MAX_IMPORT_ROWS } from '@po/contracts';
import { SHEETS } from '@po/gateway/dist/spreadsheets/columns.js';
import { exportFile } from '@po/gateway/dist/spreadsheets/export-file.js';
import { MEDIA_TYPES } from '@po/gateway/dist/spreadsheets/media-types.js';
import { orderOf } from '#local/generator/orders.js';
import { progress } from '../lifetime.js';
import { failureOf, openLoop } from '../load/loops.js';
import { requestText } from '../load/requests.js';
import { allOf, assortmentOf, importAll } from '../orders.js';
import { type OptionsOf, wholeNumber } from '../options.js';
import { type Report, quantilesOf } from '../report.js';
import { BenchStack } from '../stack.js';
import { heapOf, usageOf } from '../usage.js';

/** Requests per second of another user, sent at a constant rate. */
const NEIGHBOUR_RATE = 50;
/** Simultaneous exports of the greedy user. */
const CONCURRENCY = 30;
/** Bursts of small files per round: one takes a third of a second, and a p99 needs hundreds of concurrent requests. */
const BURSTS = 10;

/** `--lines` is the average number of lines of an order, `--rounds` the number of files of each kind. */
export const OPTIONS = {
  orders: wholeNumber(20_000, 1, 10_000_000),
  lines: wholeNumber(24, 1, 3_000),
  rounds: wholeNumber(5, 1, 100),
};

type Transfer = Awaited<ReturnType<typeof transferred>>;

/** Large exports of many orders and large uploads into one: time, memory and the effect on other users. */
export async function measure({ rounds, ...sizes }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const assortment = assortmentOf(sizes);
  const stack = await BenchStack.start();
  progress(`import ${sizes.orders} orders`);
  await importAll(stack, allOf(assortment));
  // An order of the first vendor with the maximum number of lines of a file, numbered after the generated ones.
  const sized = { ...assortment, orders: sizes.orders + 1, lines: 2 * MAX_IMPORT_ROWS, vendors: 1 };
  const more = orderOf(sized, sizes.orders);
  const large = { ...more, sourceRevision: 2, lines: more.lines.slice(0, MAX_IMPORT_ROWS) };
  await importAll(stack, { count: 1, orderAt: () => large });
  // Another status, because the vendor's file with the large order would exceed the limit.
  await stack.orders.query('UPDATE purchase_orders SET status_id = 150 WHERE po_number = $1', [large.poNumber]);
  await stack.orders.query('VACUUM ANALYZE');
  const buyer = stack.file.tokens.buyer ?? '';
  const vendor = await stack.vendorToken(large.vendor.code);
  const neighbour = requestText('GET', `/api/purchase-orders/${orderOf(assortment, 0).poNumber}`, buyer);
  const rows: object[] = [];
  const add = async (name: string, times: number, transfer: (nth: number) => Promise<Transfer[]>) => {
    progress(name);
    const transfers: Transfer[] = [];
    const work = async () => {
      for (let nth = 1; nth <= times; nth += 1) transfers.push(...(await transfer(nth)));
    };
    rows.push({ work: name, ...(await besideNeighbour(stack, neighbour, work)), ...figuresOf(transfers) });
  };
  const download = (query: string, token: string) =>
    transferred(`${stack.url}/api/purchase-order-exports?${query}`, { headers: { 'x-user-token': token } });
  await add('nothing', 1, () => delay(10_000, []));
  for (const [name, query, token] of [
    ['lines of a vendor, csv', 'format=csv&level=lines&status=New&sortField=amount', vendor],
    ['lines of a vendor, xlsx', 'format=xlsx&level=lines&status=New&sortField=amount', vendor],
    ['orders, csv', 'format=csv&level=orders&sortField=amount', buyer],
    ['orders, xlsx', 'format=xlsx&level=orders&sortField=amount', buyer],
    ['lines of all: too large', 'format=csv&level=lines', buyer],
  ] as const) {
    await add(name, rounds, async () => [await download(query, token)]);
  }
  const path = `${stack.url}/api/purchase-orders/${large.poNumber}/line-items`;
  const items = (await (await fetch(path, { headers: { 'x-user-token': vendor } })).json()) as LineItem[];
  let qty = 0;
  for (const format of ['csv', 'xlsx'] as const) {
    const headers = { 'x-user-token': vendor, 'content-type': MEDIA_TYPES[format] };
    for (const dryRun of [true, false]) {
      const files: Uint8Array<ArrayBuffer>[] = [];
      while (files.length < rounds) files.push(new Uint8Array(await fileOf(items, large.poNumber, format, (qty += 1))));
      await add(`${MAX_IMPORT_ROWS} lines of ${format}, ${dryRun ? 'dry run' : 'applied'}`, rounds, async (nth) => {
        const body = files[nth - 1] ?? null;
        return [await transferred(`${path}/import?dryRun=${dryRun}`, { method: 'POST', headers, body })];
      });
    }
  }
  await add(`${CONCURRENCY} exports of one user at once`, rounds * BURSTS, () =>
    Promise.all(Array.from({ length: CONCURRENCY }, () => download('level=orders', buyer))),
  );
  const title = `GET one order, ${NEIGHBOUR_RATE} a second, ms from when each was due; the gateway's memory in MB; and of ${rounds} files of ${sizes.orders} orders`;
  return { tables: [{ title, rows }], notes: [] };
}

/** Reads and discards the complete answer. Rejects when the connection breaks. */
async function transferred(url: string, init: RequestInit) {
  const startedAt = performance.now();
  const answer = await fetch(url, init);
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return { status: answer.status, bytes, ms: performance.now() - startedAt };
}

function figuresOf(transfers: readonly Transfer[]): object {
  const statuses = Object.entries(Object.groupBy(transfers, ({ status }) => status));
  const answers = statuses.map(([status, all = []]) => `${all.length} x ${status}`).join(', ');
  const { p50, p95 } = quantilesOf(transfers.map(({ ms }) => ms));
  return { answers, MB: quantilesOf(transfers.map(({ bytes }) => bytes)).p50 / 1e6, 'file p50': p50, 'file p95': p95 };
}

/** Does the work while another user reads one order at a constant rate. Resolves with that user's latencies and the memory. */
async function besideNeighbour({ url, file }: BenchStack, text: string, work: () => Promise<void>): Promise<object> {
  const latencies: number[] = [];
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const isOver = (sent: number) => isDone && sent > NEIGHBOUR_RATE;
  const load = openLoop(
    { url, perSecond: NEIGHBOUR_RATE, isOver },
    () => ({ text }),
    ({ answer, answeredAt, dueAt }) => {
      const failure = failureOf(answer);
      if (failure !== null) throw new Error(`the neighbour was answered ${failure}`);
      latencies.push(answeredAt - dueAt);
    },
  );
  const both = Promise.all([working, load]);
  // Awaited below; an earlier rejection must not end the process.
  both.catch(() => undefined);
  const peak = { resident: 0, heap: 0 };
  while (!isDone) {
    peak.resident = Math.max(peak.resident, usageOf(file.pids.gateway[0] ?? 0).residentMb);
    peak.heap = Math.max(peak.heap, (await heapOf(file.managementUrls.gateway[0])).heapMb);
    await delay(50);
  }
  await both;
  return { ...quantilesOf(latencies), worst: Math.max(...latencies), ...peak };
}

/** The order's export with this reply in each line. */
function fileOf(items: readonly LineItem[], poNumber: string, format: ExportFormat, qty: number): Promise<Buffer> {
  const lines = items.flatMap((item) =>
    Object.entries(item.sizes).map(([size, cell]) => ({ ...item, ...cell, size, vendorReplyQty: qty })),
  );
  const json = Buffer.from(JSON.stringify([{ poNumber, status: 'New', statusZh: '新订单', vendor: 'V', lines }]));
  async function* page() {
    yield await Promise.resolve(json);
  }
  return buffer(exportFile(format, SHEETS.lines('en'), page(), 'en'));
}
