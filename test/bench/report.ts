import type { LoadKind } from './load/commands.js';
import type { EventLatencies } from './load/event-latency.js';
import { type Machine, type RunStart, startOfRun } from './machine.js';
import type { IdleRow, ImportResult, LoadRow } from './measurements.js';
import type { Options } from './options.js';
import type { SideName } from './sides.js';

/** What one run measured; absent parts were not asked for. It is what `.local/bench.json` holds. */
export interface Results extends RunStart {
  options: Options;
  import?: ImportResult;
  idle?: IdleRow[];
  events?: EventLatencies;
  load: LoadRow[];
  ratios: Ratio[];
}

/** How the product compares with another side under the same load. Above 1 is better for throughput, below 1 for the others. */
export interface Ratio {
  kind: LoadRow['kind'];
  connections: number;
  to: Exclude<SideName, 'product'>;
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** CPU of all processes but the load client's. */
  cpu: number;
}

/** Empty results of a run that starts now. */
export const newResults = (options: Options): Results => ({ ...startOfRun(), options, load: [], ratios: [] });

/** CPU milliseconds a request of all processes but the load client. */
export const cpuTotal = ({ cpuMs }: Pick<LoadRow, 'cpuMs'>): number =>
  Object.entries(cpuMs).reduce((sum, [name, cpu]) => sum + (name === 'load' ? 0 : cpu), 0);

/** The product against each other side, wherever both were measured. */
export function ratiosOf(rows: readonly LoadRow[]): Ratio[] {
  return rows
    .filter(({ side }) => side === 'product')
    .flatMap((product) =>
      (['stock', 'direct'] as const).flatMap((to): Ratio[] => {
        const other = rows.find(
          ({ side, kind, connections }) => side === to && kind === product.kind && connections === product.connections,
        );
        if (!other) return [];
        return [
          {
            ...{ kind: product.kind, connections: product.connections, to },
            requestsPerSecond: product.requestsPerSecond / other.requestsPerSecond,
            p50: product.p50 / other.p50,
            p99: product.p99 / other.p99,
            cpu: cpuTotal(product) / cpuTotal(other),
          },
        ];
      }),
    );
}

/** What people call the kinds of requests. */
export const NAMES: Record<LoadKind, string> = { get: 'GET one order', list: 'list of 50', transition: 'transition' };

/** Prints everything as tables. */
export function print({ machine, load, ratios, events, idle, import: imported }: Results): void {
  printMachine(machine);
  if (load.length > 0) {
    say('\nUnder load: requests a second (2xx), milliseconds, and CPU milliseconds a request of each process');
    table(load.map(loadLine));
    for (const row of load) sayErrors(`${row.side}, ${NAMES[row.kind]}, ${row.connections} connections`, row);
    say('\nThe product as a multiple of the other sides');
    table(
      ratios.map(({ kind, requestsPerSecond, ...rest }) => ({
        what: NAMES[kind],
        'req/s': requestsPerSecond,
        ...rest,
      })),
    );
  }
  if (events) {
    say(
      `\nEvents at ${events.perSecond} transitions a second, ms (${events.transitions} counted, ${events.errors} errors)`,
    );
    table([
      { what: 'due -> 2xx', ...events.answer },
      { what: '2xx -> po.transitions.v1', ...events.topic },
      { what: '2xx -> inbox', ...events.inbox },
      { what: '2xx -> dashboard', ...events.dashboard },
    ]);
  }
  if (imported) {
    say(
      `\nImport of ${imported.orders} orders of ${imported.cells} cells: ${shown(imported.ordersPerSecond)} orders/s until the last ` +
        `is in SQL; on the dashboard after ${shown(imported.untilDashboardSeconds)} s`,
    );
  }
  if (idle) {
    say('\nIdle');
    table(
      idle.map(({ process: name, cpuPercent, residentMb }) => ({
        process: name,
        'CPU %': cpuPercent,
        'resident MB': residentMb,
      })),
    );
  }
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints what was measured on. */
export function printMachine({ cores, memoryMb, node, loadAverageAtStart }: Machine): void {
  say(`\n${cores} cores, ${memoryMb} MB, Node ${node}, load average at the start ${shown(loadAverageAtStart)}`);
}

/** Prints how many requests of a load were in vain, if any were, and why the first was. */
export function sayErrors(load: string, { errors, firstError }: Pick<LoadRow, 'errors' | 'firstError'>): void {
  if (errors > 0) say(`  ${load}: ${errors} errors, the first: ${firstError}`);
}

function loadLine(row: LoadRow): Record<string, unknown> {
  const { gateway, service, relay, notifications = 0, dashboard = 0, redis = 0, kafka, postgres, load } = row.cpuMs;
  return {
    ...{ what: NAMES[row.kind], connections: row.connections, side: row.side },
    ...{ 'req/s': row.requestsPerSecond, p50: row.p50, p99: row.p99, errors: row.errors },
    ...{ gateway, service, relay, 'fan-out': notifications + dashboard + redis, kafka, postgres },
    ...{ 'all CPU': cpuTotal(row), 'load client': load },
  };
}

/** Prints a report as a table, its numbers with three digits. */
export function table(rows: readonly object[]): void {
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rounded(value)]))),
  );
}

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(shown(value)) : (value ?? ''));

/** Three significant digits, whole numbers from 100 on. */
const shown = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
