import { NAMES, cpuTotal, printMachine, say, sayErrors, table } from '../report.js';
import type { ReplicasResults, ReplicasRow } from './replicas.js';

/** Prints everything as a table: what grows with the replicas, what does not, and what of the machine is left. */
export function printReplicas({ machine, options, rows }: ReplicasResults): void {
  const { orders, connections } = options;
  printMachine(machine);
  say(
    `\n${orders} orders, ${connections} connections over all gateways, gateways x order services. Requests a second (2xx),`,
  );
  say(
    'milliseconds, CPU milliseconds a request, percent of a core that one process uses, percent of the machine that is idle',
  );
  table(rows.map((row) => lineOf(row, rows)));
  for (const row of rows) sayErrors(`${NAMES[row.kind]}, ${shapeOf(row)}`, row);
}

const shapeOf = ({ gateways, orders }: ReplicasRow): string => `${gateways}x${orders}`;

function lineOf(row: ReplicasRow, rows: readonly ReplicasRow[]): Record<string, unknown> {
  const { gateways = 0, orders = 0, fanOut, postgres, kafka, load = 0 } = row.cpuMs;
  const first = rows.find(({ kind }) => kind === row.kind) ?? row;
  const percentOfCore = (cpuMs: number) => Math.round((cpuMs * row.requestsPerSecond) / 10);
  return {
    ...{ what: NAMES[row.kind], replicas: shapeOf(row), 'req/s': row.requestsPerSecond },
    [`x ${shapeOf(first)}`]: row.requestsPerSecond / first.requestsPerSecond,
    ...{ p50: row.p50, p95: row.p95, gateways, orders, postgres, kafka, 'fan-out': fanOut, 'all CPU': cpuTotal(row) },
    ...{
      'a gateway %': percentOfCore(gateways / row.gateways),
      'an order service %': percentOfCore(orders / row.orders),
    },
    ...{ 'load client %': percentOfCore(load), 'idle %': Math.round(100 * row.idleCpu) },
  };
}
