import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../lifetime.js';
import { errorNotes, figuresOf, measureTurns, multiplesOf } from '../load/measure.js';
import { MAX_CONNECTIONS, loadsOf } from '../load/requests.js';
import { LINES, LOADED_ORDERS, importLoadedOrders, sendAll, smallOrders, waitUntilStored } from '../orders.js';
import { type OptionsOf, choices, number, wholeNumbers } from '../options.js';
import type { Report } from '../report.js';
import { startImplementations } from '../implementations/implementations.js';
import { BenchStack } from '../stack.js';
import { measureCpu, usageOf } from '../usage.js';
import { measureEvents } from './events.js';

const KINDS = ['get', 'transition'] as const;
const IMPORTED_ORDERS = 1_000;
const IDLE_S = 20;
const EVENTS = { perSecond: 50, seconds: 20 };

/** `--only` selects the tables; `--connections` and `--seconds` apply to each load. */
export const OPTIONS = {
  only: choices(['get', 'transition', 'events', 'import', 'idle']),
  connections: wholeNumbers('1,16,64', 1, MAX_CONNECTIONS),
  seconds: number(5, 1, 600),
};

/** Compares the product with Nest's stock transport and with handlers without a transport. */
export async function measure(options: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const { only, connections, seconds } = options;
  const stack = await BenchStack.start();
  const loads = loadsOf(stack.file);
  await importLoadedOrders(stack);
  const report: Report = { tables: [], notes: [] };
  if (only.includes('import')) {
    progress(`import ${IMPORTED_ORDERS} orders`);
    report.tables.push({ title: `Import of orders with ${LINES} lines`, rows: [await measureImport(stack)] });
  }
  if (only.includes('idle')) {
    progress(`idle for ${IDLE_S} s`);
    report.tables.push({ title: 'Idle', rows: await measureIdle(stack) });
  }
  if (only.includes('events')) {
    progress(`${EVENTS.perSecond} transitions a second for ${EVENTS.seconds} s`);
    const { rows, errors } = await measureEvents(stack.file, EVENTS, loads.transition);
    const title = `Events at ${EVENTS.perSecond} transitions a second, ms (${errors} errors)`;
    report.tables.push({ title, rows });
    await stack.settled();
  }
  if (only.includes('get') || only.includes('transition')) {
    progress('start the stock and the direct implementation');
    const implementations = await startImplementations(stack);
    // The implementations take turns at each number of connections, so that drift over time affects all of them.
    const turns = KINDS.filter((kind) => only.includes(kind)).flatMap((kind) =>
      connections.flatMap((count) => implementations.map((variant) => ({ variant, kind, connections: count }))),
    );
    const rows = await measureTurns(stack, loads, turns, { seconds });
    const title = 'Under load: requests a second (2xx), ms, and CPU ms a request of each process';
    report.tables.push({ title, rows: rows.map(figuresOf) });
    const multiples = multiplesOf(rows, 'product', ['stock', 'direct']);
    report.tables.push({ title: 'The product as a multiple of the other implementations', rows: multiples });
    report.notes.push(...errorNotes(rows));
  }
  return report;
}

/** Measures until the last order is visible in SQL. */
async function measureImport(stack: BenchStack): Promise<object> {
  const startedAt = performance.now();
  const revision = await sendAll(stack, smallOrders(LOADED_ORDERS, IMPORTED_ORDERS));
  await waitUntilStored(stack, LOADED_ORDERS + IMPORTED_ORDERS, revision);
  const perSecond = (1000 * IMPORTED_ORDERS) / (performance.now() - startedAt);
  await stack.settled();
  return { orders: IMPORTED_ORDERS, 'orders a second, in SQL': perSecond };
}

/** CPU and memory of each idle process. */
async function measureIdle({ file: { pids } }: BenchStack): Promise<object[]> {
  const { cpuMs } = await measureCpu(pids, () => delay(IDLE_S * 1000));
  return Object.entries(pids).map(([process, own]) => ({
    process,
    'CPU %': (cpuMs[process] ?? 0) / (IDLE_S * 10),
    'resident MB': usageOf([own].flat()[0] ?? 0).residentMb,
  }));
}
