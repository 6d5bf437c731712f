import { cpus } from 'node:os';
import {
  type Measured,
  type Variant,
  cpuTotal,
  errorNotes,
  figuresOf,
  labelsOf,
  measureTurns,
} from '../load/measure.js';
import { closedLoop } from '../load/loops.js';
import { MAX_CONNECTIONS, loadsOf } from '../load/requests.js';
import { progress } from '../lifetime.js';
import { LOADED_ORDERS, importLoadedOrders } from '../orders.js';
import { type OptionsOf, number, wholeNumber, wholeNumbers } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';

/** Maximum useful replicas: a gateway reads 2 of 24 reply partitions, an order service at least 1 of 12 request partitions. */
const MAX_REPLICAS = 12;
/** Warm-up of each kind: Kafka and PostgreSQL get faster at first. */
const WARM_UP_S = 15;
const KINDS = ['get', 'list', 'transition'] as const;

/** `--seconds` applies to each load, `--connections` are spread over all gateways. */
export const OPTIONS = {
  replicas: wholeNumbers('1,2,4', 1, MAX_REPLICAS),
  orders: wholeNumber(2_000, LOADED_ORDERS, 99_999),
  seconds: number(10, 1, 600),
  connections: wholeNumber(64, 1, MAX_CONNECTIONS),
};

/** The same load on different numbers of gateways and order services, with the same stores and orders. */
export async function measure(options: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const { replicas, orders, connections, seconds } = options;
  const stack = await BenchStack.start(Math.max(...replicas));
  const loads = loadsOf(stack.file);
  progress(`import ${orders} orders`);
  await importLoadedOrders(stack, orders);
  progress('warm up');
  const { gatewayUrls: urls } = stack.file;
  for (const kind of KINDS) await closedLoop({ urls, connections, seconds: WARM_UP_S }, loads[kind]);
  const variants = shapesOf(replicas).map(([gateways = 1, services = 1]): Variant => ({
    name: `${gateways}x${services}`,
    begin: () => stack.resize(gateways, services),
    urls: () => urls.slice(0, gateways),
    pids: () => {
      const { gateway, purchaseOrders } = stack.file.pids;
      const measured = { gateways: gateway.slice(0, gateways), orders: purchaseOrders.slice(0, services) };
      return { ...measured, ...stack.others.fanOut, ...stack.others.stores };
    },
  }));
  const turns = variants.flatMap((variant) => KINDS.map((kind) => ({ variant, kind, connections })));
  const rows = await measureTurns(stack, loads, turns, { seconds });
  const title = `${orders} orders, gateways x order services: requests a second (2xx), ms, CPU ms a request`;
  return {
    tables: [
      { title, rows: rows.map(figuresOf) },
      { title: 'Percent of a core of one process, and of the machine', rows: rows.map(sharesOf) },
    ],
    notes: errorNotes(rows),
  };
}

/** Equal numbers of both, ascending; the first two numbers also mixed; and the first again, to show drift over time. */
function shapesOf(numbers: readonly number[]): number[][] {
  const [first = 1, second = first, ...others] = numbers.toSorted((a, b) => a - b);
  const same = [second, ...others, first].map((count) => [count, count]);
  return numbers.length === 1 ? [[first, first]] : [[first, first], [first, second], [second, first], ...same];
}

/** Names the bottleneck of a load. CPU use by programs outside the benchmark invalidates the row. */
function sharesOf(row: Measured): object {
  const { gateways = 0, orders = 0 } = row.cpuMs;
  const [gatewayCount = 1, orderCount = 1] = row.variant.name.split('x').map(Number);
  const percentOfCore = (cpuMs: number) => Math.round((cpuMs * row.requestsPerSecond) / 10);
  const idle = 100 * row.idleCpu;
  const others = 100 - idle - percentOfCore(cpuTotal(row) + row.clientMs) / cpus().length;
  return {
    ...labelsOf(row),
    'a gateway %': percentOfCore(gateways / gatewayCount),
    'an order service %': percentOfCore(orders / orderCount),
    'load client %': percentOfCore(row.clientMs),
    'idle %': idle,
    'others %': Math.max(0, others),
  };
}
