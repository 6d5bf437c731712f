import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@po/testing/eventually';
import { elapsedS, progress } from '../lifetime.js';
import { LABELS, type Measured, errorNotes, figuresOf, measureLoad, multiplesOf, otherPids } from '../load/measure.js';
import { LoadProcess } from '../load/process.js';
import { CELLS, LOADED_ORDERS, importLoadedOrders, sendAll, smallOrders, stored } from '../orders.js';
import { type OptionsOf, choices, number, wholes } from '../options.js';
import type { Report } from '../report.js';
import { type Side, startSides } from '../sides/sides.js';
import { BenchStack } from '../stack.js';
import { type Pids, measureCpu, usageOf } from '../usage.js';

const DEFAULT_SECONDS = 5;
const IMPORTED_ORDERS = 1_000;
const IDLE_S = 20;
const EVENTS = { perSecond: 50, seconds: 20 };
const DASHBOARD_MS = 60_000;
/** Loads that would begin later are left out, so that a run ends within six minutes. */
const BUDGET_S = 290;

/** `--only` names what is measured; `--connections` and `--seconds` are of each load. */
export const OPTIONS = {
  only: choices(['get', 'transition', 'events', 'import', 'idle']),
  connections: wholes('1,16,64', 1, 256),
  seconds: number(DEFAULT_SECONDS, 1, 600),
};

type Options = OptionsOf<typeof OPTIONS>;

interface LoadRow extends Measured {
  kind: 'get' | 'transition';
  side: Side['name'];
}

/** The product beside the stock transport and the direct handlers. */
export async function measure(options: Options): Promise<Report> {
  const { only, seconds } = options;
  const stack = await BenchStack.start();
  const client = await LoadProcess.start(stack);
  await importLoadedOrders(stack);
  const report: Report = { tables: [], notes: [] };
  if (only.includes('import')) {
    progress(`import ${IMPORTED_ORDERS} orders`);
    report.tables.push({ title: `Import of orders with ${CELLS} lines`, rows: [await measureImport(stack)] });
  }
  if (only.includes('idle')) {
    progress(`idle for ${IDLE_S} s`);
    report.tables.push({ title: 'Idle', rows: await measureIdle(stack) });
  }
  if (only.includes('events')) {
    progress(`${EVENTS.perSecond} transitions a second for ${EVENTS.seconds} s`);
    const { rows, transitions, errors } = await client.execute('events', EVENTS);
    const title = `Events at ${EVENTS.perSecond} transitions a second, ms (${transitions} counted, ${errors} errors)`;
    report.tables.push({ title, rows });
    await stack.settled();
  }
  const kinds = (['get', 'transition'] as const).filter((kind) => only.includes(kind));
  if (kinds.length > 0) {
    const rows = await compare(stack, client, kinds, options.connections, seconds);
    report.tables.push(
      {
        title: 'Under load: requests a second (2xx), ms, and CPU ms a request of each process',
        rows: rows.map((row) => ({ ...labelsOf(row), side: row.side, ...figuresOf(row) })),
      },
      { title: 'The product as a multiple of the other sides', rows: ratiosOf(rows) },
    );
    const named = rows.map((row) => ({ ...row, name: `${row.side}, ${LABELS[row.kind]}, ${row.connections}` }));
    report.notes.push(...errorNotes(named));
  }
  return report;
}

const labelsOf = ({ kind, connections }: LoadRow) => ({ what: LABELS[kind], connections });

/** The product against each other side, wherever both were measured. */
function ratiosOf(rows: readonly LoadRow[]): object[] {
  return rows.flatMap((product) =>
    rows
      .filter(({ kind, connections }) => kind === product.kind && connections === product.connections)
      .filter(({ side }) => product.side === 'product' && side !== 'product')
      .map((other) => ({ ...labelsOf(product), to: other.side, ...multiplesOf(product, other) })),
  );
}

/** Measures the sides in turn at each number of connections, so that changes over time affect all. */
async function compare(
  stack: BenchStack,
  client: LoadProcess,
  kinds: readonly LoadRow['kind'][],
  connectionCounts: readonly number[],
  seconds: number,
): Promise<LoadRow[]> {
  progress('start the stock and the direct side');
  const sides = await startSides(stack);
  const rows: LoadRow[] = [];
  const more = kinds.length * connectionCounts.length * sides.length * Math.max(0, seconds - DEFAULT_SECONDS);
  for (const kind of kinds) {
    for (const connections of connectionCounts) {
      if (elapsedS() > BUDGET_S + more) {
        progress(`${kind}, ${connections} connections: left out, this machine is too slow or too busy`);
        continue;
      }
      for (const side of sides) {
        const load = { kind, urls: [side.url], connections, seconds };
        const measured = await measureLoad(stack, client, load, pidsOf(stack, side, kind));
        progress(
          `${kind}, ${connections} connections, ${side.name}: ${measured.requestsPerSecond.toFixed(0)} a second`,
        );
        rows.push({ kind, side: side.name, ...measured });
      }
    }
  }
  return rows;
}

/** The processes whose CPU time a request costs. A GET has no fan-out, whose idle CPU would be charged to the slow sides. */
function pidsOf({ file }: BenchStack, { name, pids }: Side, kind: LoadRow['kind']): Pids {
  const { stores, fanOut } = otherPids(file);
  const relay: Pids = name === 'product' ? {} : { relay: file.pids.purchaseOrders };
  return { ...pids, ...(kind === 'transition' ? { ...relay, ...fanOut } : {}), ...stores };
}

/** Until the last order is visible in SQL, and until the dashboard counts all. */
async function measureImport(stack: BenchStack): Promise<object> {
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1000;
  const total = LOADED_ORDERS + IMPORTED_ORDERS;
  const sent = sendAll(stack, smallOrders(LOADED_ORDERS, IMPORTED_ORDERS));
  await stored(stack, total, await sent);
  const ordersPerSecond = IMPORTED_ORDERS / secondsSince();
  const counted = async () => {
    const headers = { 'x-user-token': stack.file.tokens.buyer ?? '' };
    const kpis = (await (await fetch(`${stack.url}/api/dashboard/kpis`, { headers })).json()) as Record<string, number>;
    return Object.values(kpis).reduce((sum, count) => sum + count, 0) === total;
  };
  await eventually('the dashboard counts every order', counted, { timeoutMs: DASHBOARD_MS });
  const seconds = secondsSince();
  await stack.settled();
  return { orders: IMPORTED_ORDERS, 'orders a second, in SQL': ordersPerSecond, 'seconds, on the dashboard': seconds };
}

/** CPU and memory of each process without requests. */
async function measureIdle({ file: { pids } }: BenchStack): Promise<object[]> {
  const { cpuMs } = await measureCpu(pids, () => delay(IDLE_S * 1000));
  return Object.entries(pids).map(([process, own]) => ({
    process,
    'CPU %': (cpuMs[process] ?? 0) / (IDLE_S * 10),
    'resident MB': usageOf([own].flat()[0] ?? 0).residentMb,
  }));
}
