import { cpus } from 'node:os';
import { progress } from '../lifetime.js';
import { LABELS, type Measured, cpuTotal, errorNotes, figuresOf, measureLoad, otherPids } from '../load/measure.js';
import { LoadProcess } from '../load/process.js';
import type { LoadKind } from '../load/requests.js';
import { LOADED_ORDERS, importLoadedOrders } from '../orders.js';
import { type OptionsOf, number, whole, wholes } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack, type ReplicaCounts } from '../stack.js';
import { replicaCountsOf } from './replica-counts.js';

/** More have nothing to do: a gateway reads two of 24 reply partitions, an order service at least one of 12 with requests. */
const MAX_REPLICAS = 12;
/** Of each kind, before anything is counted: Kafka and PostgreSQL get faster at first. */
const WARM_UP_S = 15;
const CORES = cpus().length;
const KINDS: readonly LoadKind[] = ['get', 'list', 'transition'];

/** `--seconds` is of each load, `--connections` over all gateways. */
export const OPTIONS = {
  replicas: wholes('1,2,4', 1, MAX_REPLICAS),
  orders: whole(2_000, LOADED_ORDERS, 99_999),
  seconds: number(10, 1, 600),
  connections: whole(64, 1, 256),
};

interface ReplicasRow extends ReplicaCounts, Measured {
  kind: LoadKind;
}

/** The same load on different numbers of gateways and order services, over the same stores and orders. */
export async function measure(options: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const { replicas, orders, connections, seconds } = options;
  const stack = await BenchStack.start({ replicas: Math.max(...replicas) });
  const client = await LoadProcess.start(stack);
  progress(`import ${orders} orders`);
  await importLoadedOrders(stack, orders);
  progress('warm up');
  const { gatewayUrls: urls } = stack.file;
  for (const kind of KINDS) await client.execute('load', { kind, urls, connections, seconds: WARM_UP_S });
  const rows: ReplicasRow[] = [];
  for (const counts of replicaCountsOf(replicas)) {
    const running = await stack.resize(counts);
    await stack.settled();
    const { stores, fanOut } = otherPids({ ...stack.file, ...running });
    const pids = { gateways: running.pids.gateway, orders: running.pids.purchaseOrders, ...fanOut, ...stores };
    for (const kind of KINDS) {
      const load = { kind, urls: running.gatewayUrls, connections, seconds };
      const measured = await measureLoad(stack, client, load, pids);
      rows.push({ kind, ...measured, ...counts });
      progress(`${shapeOf(counts)}, ${kind}: ${measured.requestsPerSecond.toFixed(0)} a second`);
    }
  }
  const title = `${orders} orders, ${connections} connections; gateways x order services: requests a second (2xx), ms, CPU ms a request`;
  return {
    tables: [
      { title, rows: rows.map((row) => ({ ...labelsOf(row), ...figuresOf(row) })) },
      { title: 'Percent of a core of one process, and of the machine', rows: rows.map((row) => shareOf(row, rows)) },
    ],
    notes: errorNotes(rows.map((row) => ({ ...row, name: `${LABELS[row.kind]}, ${shapeOf(row)}` }))),
  };
}

const shapeOf = ({ gateways, orders }: ReplicaCounts): string => `${gateways}x${orders}`;
const labelsOf = (row: ReplicasRow) => ({ what: LABELS[row.kind], replicas: shapeOf(row) });

/** What limits a load. Other programs than the benchmark's invalidate a row: it must be run again. */
function shareOf(row: ReplicasRow, rows: readonly ReplicasRow[]): object {
  const { gateways = 0, orders = 0, load = 0 } = row.cpuMs;
  const first = rows.find(({ kind }) => kind === row.kind) ?? row;
  const percentOfCore = (cpuMs: number) => Math.round((cpuMs * row.requestsPerSecond) / 10);
  const idle = 100 * row.idleCpu;
  const others = 100 - idle - percentOfCore(cpuTotal(row) + load) / CORES;
  return {
    ...labelsOf(row),
    [`x ${shapeOf(first)}`]: row.requestsPerSecond / first.requestsPerSecond,
    'a gateway %': percentOfCore(gateways / row.gateways),
    'an order service %': percentOfCore(orders / row.orders),
    'load client %': percentOfCore(load),
    'idle %': Math.round(idle),
    'others %': Math.max(0, Math.round(others)),
  };
}
