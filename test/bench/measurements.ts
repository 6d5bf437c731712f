import { setTimeout as delay } from 'node:timers/promises';
import type { StackFile } from '#local/stack/stack-file.js';
import { eventually } from '@po/testing/eventually';
import type { LoadKind } from './load/commands.js';
import type { LoadProcess } from './load/load-process.js';
import type { LoadResult } from './load/closed-loop.js';
import { CELLS, LOADED_ORDERS, produceOrders } from './orders.js';
import type { Settlement } from './settlement.js';
import type { Side, SideName } from './sides.js';
import { measureCpu, measureIdleCpu, usageOf } from './usage.js';

/** What a load was answered, and what it cost. */
export interface Measured extends LoadResult {
  /** CPU milliseconds a request of each process, its share of what the requests caused included. */
  cpuMs: Record<string, number>;
  /** The share of the machine's CPU, 0 to 1, that nobody used under the load. */
  idleCpu: number;
}

export interface LoadRow extends Measured {
  kind: 'get' | 'transition';
  side: SideName;
}

/** Closed-loop load on one or several addresses of one thing. */
interface Load {
  kind: LoadKind;
  urls: readonly string[];
  connections: number;
  seconds: number;
}

interface Measuring {
  load: LoadProcess;
  settlement: Settlement;
}

const WARM_UP_S = 2;

/** The processes whose CPU time a request of this kind costs on this side. */
function pidsOf({ pids }: StackFile, side: Side, kind: LoadRow['kind'], load: LoadProcess): Record<string, number> {
  const { gateway, service } = side.pids;
  const relay: Record<string, number> = side.name === 'product' ? {} : { relay: pids.purchaseOrders[0] ?? 0 };
  const { notifications, dashboard, redis } = pids;
  // A read causes nothing in these: counting them would charge what they use idle to the requests of a slow side.
  const fanOut = { ...relay, notifications: notifications[0] ?? 0, dashboard: dashboard[0] ?? 0, redis: redis ?? 0 };
  return {
    ...(service === null ? { gateway } : { gateway, service }),
    ...(kind === 'transition' ? fanOut : {}),
    ...{ kafka: pids.kafka ?? 0, postgres: pids.postgres ?? 0, load: load.pid },
  };
}

/** Measures one side with what its requests cost in the processes that serve it. */
export async function measureLoad(
  { stack, ...measuring }: Measuring & { stack: StackFile },
  side: Side,
  kind: LoadRow['kind'],
  connections: number,
  seconds: number,
): Promise<LoadRow> {
  const pids = pidsOf(stack, side, kind, measuring.load);
  const measured = await measureRequests(measuring, { kind, urls: [side.url], connections, seconds }, pids);
  return { kind, side: side.name, ...measured };
}

/** Warms up, waits until what that caused is done, and measures until what the measurement caused is done. */
export async function measureRequests(
  { load, settlement }: Measuring,
  requests: Load,
  pids: Record<string, number | readonly number[]>,
): Promise<Measured> {
  const command = { command: 'load', ...requests } as const;
  await load.execute({ ...command, seconds: WARM_UP_S });
  await settlement.settled();
  const { result: loaded, cpuMs } = await measureCpu(pids, async () => {
    const underLoad = await measureIdleCpu(() => load.execute(command));
    await settlement.settled();
    return underLoad;
  });
  const { result, idleCpu } = loaded;
  const perRequest = Object.entries(cpuMs).map(([name, cpu]): [string, number] => [name, cpu / result.requests]);
  return { ...result, cpuMs: Object.fromEntries(perRequest), idleCpu };
}

/** Imports what requests are made for, and more if so many are wanted; waits until it is everywhere. */
export async function importLoadedOrders(
  stack: StackFile,
  { kafka, settled, orders }: Settlement,
  count = LOADED_ORDERS,
): Promise<void> {
  // The users must be known before anybody is notified.
  for (const token of Object.values(stack.tokens)) {
    await fetch(`${stack.gatewayUrl}/api/me`, { headers: { 'x-user-token': token } });
  }
  await settled();
  await produceOrders(kafka, 0, count);
  await stored(orders, count);
  await settled();
}

export interface ImportResult {
  orders: number;
  cells: number;
  /** From the first record sent to the last order visible in SQL. */
  ordersPerSecond: number;
  /** From the first record sent until GET /api/dashboard/kpis counts all. */
  untilDashboardSeconds: number;
}

/** Imports `count` new orders through the inventory topic. */
export async function measureImport(stack: StackFile, settlement: Settlement, count: number): Promise<ImportResult> {
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1000;
  const sent = produceOrders(settlement.kafka, LOADED_ORDERS, count);
  const total = LOADED_ORDERS + count;
  await stored(settlement.orders, total);
  const storedSeconds = secondsSince();
  await eventually('the dashboard counts every order', () => counted(stack).then((sum) => sum === total), {
    timeoutMs: 60_000,
  });
  const untilDashboardSeconds = secondsSince();
  await sent;
  await settlement.settled();
  return { orders: count, cells: CELLS, ordersPerSecond: count / storedSeconds, untilDashboardSeconds };
}

async function stored(orders: Settlement['orders'], total: number): Promise<void> {
  await eventually(
    `${total} orders are stored`,
    async () => {
      const { rows } = await orders.query<{ count: string }>('SELECT count(*) FROM purchase_orders');
      return Number(rows[0]?.count) === total;
    },
    { timeoutMs: 180_000 },
  );
}

async function counted({ gatewayUrl, tokens }: StackFile): Promise<number> {
  const response = await fetch(`${gatewayUrl}/api/dashboard/kpis`, { headers: { 'x-user-token': tokens.buyer ?? '' } });
  const kpis = (await response.json()) as Record<string, number>;
  return Object.values(kpis).reduce((sum, count) => sum + count, 0);
}

export interface IdleRow {
  process: string;
  /** Of one core. */
  cpuPercent: number;
  residentMb: number;
}

/** What every process of the stack uses while nobody asks. */
export async function measureIdle({ pids }: StackFile, seconds: number): Promise<IdleRow[]> {
  const { kafka, postgres, redis, ...services } = pids;
  const first = Object.entries(services).map(([name, [pid]]): [string, number] => [name, pid ?? 0]);
  const all = { ...Object.fromEntries(first), kafka: kafka ?? 0, postgres: postgres ?? 0, redis: redis ?? 0 };
  const { cpuMs } = await measureCpu(all, () => delay(seconds * 1000));
  return Object.entries(all).map(([process, pid]) => ({
    process,
    cpuPercent: (cpuMs[process] ?? 0) / (seconds * 10),
    residentMb: usageOf(pid).residentMb,
  }));
}
