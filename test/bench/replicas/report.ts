import { NAMES, cpuTotal, printMachine, say, sayErrors, table } from '../report.js';
import type { ReplicasResults, ReplicasRow } from './replicas.js';

/** Prints everything as a table: what grows with the replicas, what does not, and what of the machine is left. */
export function printReplicas({ machine, options, rows }: ReplicasResults): void {
  const { orders, connections } = options;
  printMachine(machine);
  say(`\n${orders} orders, ${connections} connections over all gateways; replicas: gateways x order services.`);
  say(
    'Requests a second (2xx), milliseconds, CPU milliseconds a request, percent of a core that one process uses, and of the',
  );
  say('machine what is idle and what others than these processes use: where that is not near 0, run it again later');
  table(rows.map((row) => lineOf(row, rows, machine.cores)));
  for (const row of rows) sayErrors(`${NAMES[row.kind]}, ${shapeOf(row)}`, row);
}

const shapeOf = ({ gateways, orders }: ReplicasRow): string => `${gateways}x${orders}`;

function lineOf(row: ReplicasRow, rows: readonly ReplicasRow[], cores: number): Record<string, unknown> {
  const { gateways = 0, orders = 0, fanOut, postgres, kafka, load = 0 } = row.cpuMs;
  const first = rows.find(({ kind }) => kind === row.kind) ?? row;
  const percentOfCore = (cpuMs: number) => Math.round((cpuMs * row.requestsPerSecond) / 10);
  const idle = 100 * row.idleCpu;
  const others = 100 - idle - percentOfCore(cpuTotal(row) + load) / cores;
  return {
    ...{ what: NAMES[row.kind], replicas: shapeOf(row), 'req/s': row.requestsPerSecond },
    [`x ${shapeOf(first)}`]: row.requestsPerSecond / first.requestsPerSecond,
    ...{ p50: row.p50, p95: row.p95, gateways, orders, postgres, kafka, 'fan-out': fanOut, 'all CPU': cpuTotal(row) },
    ...{
      'a gateway %': percentOfCore(gateways / row.gateways),
      'an order service %': percentOfCore(orders / row.orders),
    },
    ...{
      'load client %': percentOfCore(load),
      'idle %': Math.round(idle),
      'others %': Math.max(0, Math.round(others)),
    },
  };
}
