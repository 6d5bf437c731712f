import { progress, stopAll } from '../lifetime.js';
import { type OptionsOf, assortmentOf, choices, folder, whole, wholes } from '../options.js';
import type { Report } from '../report.js';
import { type RequestRow, type ScaleContext, measureRequests } from '../scale/context.js';
import { measureFanOut } from '../scale/fan-out.js';
import { measureInboxes } from '../scale/inbox.js';
import { measureLists } from '../scale/lists.js';
import { contentsOf, prepareOrders } from '../scale/prepare.js';
import { copyStack, keepStack, requireNothingIn, requirePrepared } from '../scale/prepared-folder.js';
import { dashboardFilled, measureRebuild } from '../scale/rebuild.js';
import { measureOrders } from '../scale/single-orders.js';
import { BenchStack } from '../stack.js';

/** Orders for each transition that is fanned out. */
const ORDERS_A_TRANSITION = 10;

/**
 * `--only` names what is measured; `--cells` is the average of lines of an order. `--keep` leaves the imported stack in a folder, of which
 * `--prepared` measures a copy.
 */
export const OPTIONS = {
  only: choices(['import', 'lists', 'writes', 'inbox', 'fan-out', 'rebuild']),
  orders: whole(20_000, 1, 10_000_000),
  cells: whole(50, 1, 3_000),
  vendors: whole(500, 1, 10_000),
  seed: whole(1, 1, 2 ** 31),
  connections: wholes('1,16', 1, 64),
  requests: whole(60, 1, 10_000),
  keep: folder,
  prepared: folder,
};

type Options = OptionsOf<typeof OPTIONS>;

/** The product with many orders. */
export async function measure(options: Options): Promise<Report> {
  const { only, keep, prepared, connections, requests, orders, cells, vendors, seed } = options;
  if (keep !== null && prepared !== null) throw new Error('--keep and --prepared exclude each other');
  if (keep !== null && !only.includes('import')) throw new Error('--keep keeps what is imported: --only lacks import');
  if (prepared !== null && only.every((part) => part === 'import')) {
    throw new Error('--only import measures nothing of a prepared stack');
  }
  const assortment = assortmentOf({ orders, cells, vendors, seed });
  const contents = contentsOf(assortment);
  if (keep !== null) await requireNothingIn(keep);
  if (prepared !== null) await requirePrepared(prepared, contents);
  const report: Report = { tables: [], notes: [] };
  let stack: BenchStack | null = null;
  if (prepared === null) {
    stack = await BenchStack.start();
    const rows = await prepareOrders(stack, assortment, only.includes('import'));
    report.tables.push({ title: `Orders a second, import of ${orders}`, rows });
  }
  if (stack && keep !== null) {
    progress('keep the stack');
    await stack.end();
    await keepStack(stack.folder, keep, contents);
    await stopAll();
    stack = null;
  }
  if (only.every((part) => part === 'import')) return report;
  stack ??= await startPrepared(keep ?? prepared ?? '');
  await measureParts({ stack, assortment, connections, requests }, only, report);
  return report;
}

/** Starts a copy of a kept stack; resolves when the dashboard is filled again. */
async function startPrepared(prepared: string): Promise<BenchStack> {
  progress('copy the prepared stack');
  const stack = await BenchStack.start({ fill: (copy) => copyStack(prepared, copy) });
  progress('wait for the dashboard');
  await dashboardFilled(stack.file);
  await stack.settled();
  return stack;
}

async function measureParts(context: ScaleContext, only: Options['only'], report: Report): Promise<void> {
  const { stack, assortment } = context;
  if (only.includes('lists')) {
    const { rows, notes } = await measureLists(context);
    report.tables.push({ title: 'Lists and searches, ms: in SQL, and over HTTP by number of connections', rows });
    report.notes.push(...notes);
  }
  const requests = [
    ...(only.includes('writes') ? await measureOrders(context) : []),
    ...(only.includes('inbox') ? await measureInboxes(context) : []),
  ];
  if (requests.length > 0) {
    // Measured after the others, when every process is warm, and shown before them.
    const rows = [...(await measureTransport(context)), ...requests];
    report.tables.push({ title: 'Requests on one connection, ms: in SQL and over HTTP', rows: columnsOf(rows) });
    const failing = rows.filter(({ failures }) => failures.length > 0);
    report.notes.push(
      ...failing.map(({ name, failures }) => `${name}: ${failures.length} failed, the first: ${failures[0]}`),
    );
  }
  const effects: object[] = [];
  if (only.includes('fan-out')) {
    const transitions = Math.ceil(assortment.orders / ORDERS_A_TRANSITION);
    progress(`fan out ${transitions} transitions`);
    effects.push(...(await measureFanOut(stack, transitions)));
  }
  if (only.includes('rebuild')) {
    progress('rebuild the dashboard');
    effects.push(await measureRebuild(stack.file));
  }
  report.tables.push({ title: 'Fan-out and rebuild', rows: effects });
}

/** The lookup of actions passes HTTP, Kafka and the order service, which answers from memory. */
function measureTransport(context: ScaleContext): Promise<RequestRow[]> {
  const token = context.stack.file.tokens.buyer ?? '';
  const http = () => ({ method: 'GET', path: '/lookups/actions?statusId=100&role=BUYER', token }) as const;
  return measureRequests(context, [{ name: 'transport alone (GET /lookups/actions)', http, sql: null }]);
}

/** `transport %` is the share of the first row, the transport alone. */
function columnsOf(rows: readonly RequestRow[]): object[] {
  const alone = rows[0]?.http.p50 ?? Number.NaN;
  return rows.map(({ name, sql, http }) => ({
    request: name,
    'SQL p50': sql?.p50,
    'SQL p95': sql?.p95,
    'HTTP p50': http.p50,
    'HTTP p95': http.p95,
    'transport %': (100 * alone) / http.p50,
  }));
}
