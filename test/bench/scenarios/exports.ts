import { setTimeout as delay } from 'node:timers/promises';
import { type ExportFormat, type ExportLevel, type ImportResult, type LineItem, MAX_IMPORT_ROWS } from '@po/contracts';
import { MEDIA_TYPES } from '@po/gateway/dist/spreadsheets/media-types.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import type { StackFile } from '#local/stack/stack-file.js';
import { progress } from '../lifetime.js';
import { Connection } from '../load/connection.js';
import { atConstantRate } from '../load/loops.js';
import { requestText } from '../load/requests.js';
import { allOf, importAll, sameAgain } from '../orders.js';
import { type OptionsOf, assortmentOf, whole } from '../options.js';
import { type Report, medianOf, quantilesOf } from '../report.js';
import { BenchStack } from '../stack.js';
import { heapOf, requireProc, usageOf } from '../usage.js';
import { exported, measureFilesAlone } from './files-alone.js';

/** Requests a second of the neighbour, who sends them however long the answers take. */
const NEIGHBOUR_RATE = 50;
const LANES = 64;
const ALONE_S = 10;
/** Uploads of a kind that do not count. */
const WARM_UP = 2;
/** Exports that the greedy user requests at once. */
const AT_ONCE = 30;
/** For each round of the other files: a burst is over in a third of a second, and a p99 needs hundreds of requests beside. */
const BURSTS = 10;
const MEMORY_MS = 50;

/** `--cells` is the average of lines of an order, `--rounds` the number of files of each kind. */
export const OPTIONS = { orders: whole(20_000, 1, 10_000_000), cells: whole(24, 1, 3_000), rounds: whole(5, 1, 100) };

interface Exports {
  stack: BenchStack;
  rounds: number;
  /** The neighbour's request. */
  neighbour: string;
}

/** Large files from many orders, and into one: time, memory and the effect on other users. */
export async function measure({ rounds, ...sizes }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  requireProc();
  const assortment = assortmentOf(sizes);
  const filesAlone = await measureFilesAlone();
  const stack = await BenchStack.start();
  progress(`import ${sizes.orders} orders`);
  await importAll(stack, allOf(assortment, sameAgain(1)));
  const large = largestOrder(assortment);
  await importAll(stack, { count: 1, orderAt: () => large });
  await stack.orders.query('VACUUM ANALYZE');
  const { rows: counted } = await stack.orders.query<{ rows: string }>(
    'SELECT count(*) AS rows FROM cells c JOIN purchase_orders o ON o.id = c.order_id WHERE o.vendor_code = $1 AND o.po_number <> $2',
    [large.vendor.code, large.poNumber],
  );
  const vendor = await stack.vendorToken(large.vendor.code);
  const buyer = stack.file.tokens.buyer ?? '';
  const neighbour = requestText('GET', `/api/purchase-orders/${orderOf(assortment, 0).poNumber}`, buyer);
  const context = { stack, rounds, neighbour };
  progress('requests alone');
  const { figures: alone } = await beside(context, () => delay(ALONE_S * 1000));
  // Without the large order: with it the vendor's file would exceed the limit.
  const lines = '&status=New';
  await stack.orders.query('UPDATE purchase_orders SET status_id = 150 WHERE po_number = $1', [large.poNumber]);
  const downloads = [
    await download(context, 'lines of a vendor, csv', ['csv', 'lines'], vendor, lines),
    await download(context, 'lines of a vendor, xlsx', ['xlsx', 'lines'], vendor, lines),
    await download(context, 'orders, csv', ['csv', 'orders'], buyer),
    await download(context, 'orders, xlsx', ['xlsx', 'orders'], buyer),
    await download(context, 'lines of all: too large', ['csv', 'lines'], buyer),
  ];
  const uploads = await measureUploads(context, large.poNumber, vendor);
  const greedy = await measureGreedyUser(context, buyer);
  const others = [{ name: 'nothing', figures: alone }, ...downloads, ...uploads, greedy];
  const vendorRows = counted[0]?.rows;
  return {
    tables: [
      {
        title: `Exports of ${sizes.orders} orders, ${vendorRows} lines those of the vendor; medians of ${rounds}, gateway memory in MB`,
        rows: downloads.map(({ row }) => row),
      },
      { title: `Imports of ${MAX_IMPORT_ROWS} lines that all change, ms`, rows: uploads.map(({ row }) => row) },
      {
        title: `GET one order, ${NEIGHBOUR_RATE} a second, ms from when each was due`,
        rows: others.map(({ name, figures }) => ({ beside: name, ...figures })),
      },
      {
        title: 'Files alone in a process: ms, CPU, and the longest block of the event loop',
        rows: filesAlone,
      },
    ],
    notes: [greedy.note],
  };
}

/** An order of as many lines as a file may have, of the first vendor and numbered after the others. */
function largestOrder(assortment: Assortment) {
  const orders = assortment.orders + 1;
  const more = orderOf({ ...assortment, orders, cells: 2 * MAX_IMPORT_ROWS, vendors: 1 }, assortment.orders);
  return { ...more, sourceRevision: 2, lines: more.lines.slice(0, MAX_IMPORT_ROWS) };
}

/** Does the work, while the neighbour requests one order at a constant rate; figures in ms from when each request was due. */
async function beside<T>({ stack, neighbour }: Omit<Exports, 'rounds'>, work: () => Promise<T>) {
  const connections = Array.from({ length: LANES }, () => new Connection(new URL(stack.url)));
  const latencies: number[] = [];
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  do {
    await atConstantRate({ perSecond: NEIGHBOUR_RATE, seconds: 1 }, LANES, async ({ lane, dueAt }) => {
      const { status } = await (connections[lane] as Connection).exchange(neighbour);
      if (status !== 200) throw new Error(`the neighbour was answered ${status}`);
      latencies.push(performance.now() - dueAt);
    });
  } while (!isDone);
  for (const connection of connections) connection.close();
  return { result: await working, figures: { ...quantilesOf(latencies), worst: Math.max(...latencies) } };
}

/** Downloads a file as often as there are rounds, after one that does not count. */
async function download(
  context: Exports,
  name: string,
  [format, level]: [ExportFormat, ExportLevel],
  token: string,
  filter = '',
) {
  progress(name);
  const { url, file } = context.stack;
  const path = `${url}/api/purchase-order-exports?format=${format}&level=${level}&sortField=amount${filter}`;
  await receive(path, token);
  const before = await gatewayMemory(file);
  const { result, figures } = await beside(context, () =>
    withPeak(file, async () => {
      const files: Awaited<ReturnType<typeof receive>>[] = [];
      for (let round = 0; round < context.rounds; round += 1) files.push(await receive(path, token));
      return files;
    }),
  );
  const { files, peak } = result;
  const median = (of: 'seconds' | 'firstByteMs' | 'bytes') => medianOf(files.map((each) => each[of]));
  const row = {
    file: name,
    status: files[0]?.status,
    MB: median('bytes') / 1e6,
    seconds: median('seconds'),
    'first byte ms': median('firstByteMs'),
    resident: before.resident,
    'at most': peak.resident,
    heap: before.heap,
    'heap at most': peak.heap,
    'external at most': peak.external,
  };
  return { name, row, figures };
}

/** Reads the whole answer and discards it. Rejects when it breaks off. */
async function receive(url: string, token: string) {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { 'x-user-token': token } });
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstByteMs = performance.now() - startedAt;
    bytes += chunk.length;
  }
  return { status: answer.status, bytes, firstByteMs, seconds: (performance.now() - startedAt) / 1000 };
}

/** MB. */
async function gatewayMemory({ pids, managementUrls }: StackFile) {
  const { heapUsedMb, externalMb } = await heapOf(managementUrls.gateway[0]);
  const resident = usageOf(pids.gateway[0] ?? 0).residentMb;
  return { resident, heap: heapUsedMb ?? Number.NaN, external: externalMb ?? Number.NaN };
}

/** The largest values of the gateway's memory during the work. */
async function withPeak<T>(file: StackFile, work: () => Promise<T>) {
  const peak = await gatewayMemory(file);
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  while (!isDone) {
    const now = await gatewayMemory(file);
    for (const part of ['resident', 'heap', 'external'] as const) peak[part] = Math.max(peak[part], now[part]);
    await delay(MEMORY_MS);
  }
  return { files: await working, peak };
}

/** Uploads files that change every line of the order, in both formats, as dry run and applied. */
async function measureUploads(context: Exports, poNumber: string, token: string) {
  const path = `${context.stack.url}/api/purchase-orders/${poNumber}/line-items`;
  const headers = { 'x-user-token': token };
  const items = (await (await fetch(path, { headers })).json()) as LineItem[];
  const uploads = [];
  let qty = 0;
  for (const format of ['csv', 'xlsx'] as const) {
    for (const dryRun of [true, false]) {
      const name = `${format}, ${dryRun ? 'dry run' : 'applied'}`;
      progress(`import ${MAX_IMPORT_ROWS} lines: ${name}`);
      const files: Buffer[] = [];
      while (files.length < WARM_UP + context.rounds) files.push(await fileOf(items, poNumber, format, (qty += 1)));
      const latencies: number[] = [];
      const { figures } = await beside(context, async () => {
        for (const body of files) {
          const startedAt = performance.now();
          const answer = await fetch(`${path}/import?dryRun=${dryRun}`, {
            method: 'POST',
            headers: { ...headers, 'content-type': MEDIA_TYPES[format] },
            body: new Uint8Array(body),
          });
          const { changes } = (await answer.json()) as ImportResult;
          latencies.push(performance.now() - startedAt);
          if (changes?.length !== MAX_IMPORT_ROWS) {
            throw new Error(`an import of all lines was answered ${answer.status}`);
          }
        }
      });
      const { p50, p95 } = quantilesOf(latencies.slice(WARM_UP));
      uploads.push({ name, figures, row: { file: name, MB: (files[0]?.length ?? 0) / 1e6, p50, p95 } });
    }
  }
  return uploads;
}

/** The order's export with this reply in each line. */
function fileOf(items: readonly LineItem[], poNumber: string, format: ExportFormat, qty: number): Promise<Buffer> {
  const lines = items.flatMap((item) =>
    Object.entries(item.sizes).map(([size, cell]) => ({ ...item, ...cell, size, vendorReplyQty: qty })),
  );
  return exported(format, [{ poNumber, status: 'New', statusZh: '新订单', vendor: 'V', lines }]);
}

/** One user requests many exports at once, again and again. */
async function measureGreedyUser(context: Exports, token: string) {
  const name = `${AT_ONCE} exports of one user at once`;
  progress(name);
  const statuses: number[] = [];
  const one = async () => {
    const { status } = await receive(`${context.stack.url}/api/purchase-order-exports?level=orders`, token);
    statuses.push(status);
  };
  const { figures } = await beside(context, async () => {
    for (let burst = 0; burst < context.rounds * BURSTS; burst += 1) {
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    }
  });
  const count = (status: number) => statuses.filter((other) => other === status).length;
  return { name, figures, note: `${name}: ${count(200)} made, ${count(429)} refused with 429` };
}
