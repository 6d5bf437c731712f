import { NAMES, cpuTotal, printMachine, say, sayErrors, table } from '../report.js';
import type { TracesResults, TracesRow } from './traces.js';

/** Prints each side, its median over all rounds, as it is and as a multiple of what it takes without traces. */
export function printTraces({ machine, options, rows }: TracesResults): void {
  printMachine(machine);
  say(
    `\n${options.rounds} rounds, ${options.connections} connections. Medians: requests a second (2xx), milliseconds, CPU`,
  );
  say('milliseconds a request of the four services, and what of it is sent to the collector; x: as a multiple of off');
  table(
    [...new Set(rows.map(({ kind, side }) => `${kind}|${side}`))].map((name) => {
      const [kind, side] = name.split('|');
      const of = (wanted = '') => rows.filter((row) => row.kind === kind && row.side === wanted);
      const [own, off] = [of(side), of('off')];
      const ratio = (value: (row: TracesRow) => number) => median(own, value) / median(off, value);
      return {
        ...{ what: NAMES[kind as TracesRow['kind']], traces: side, 'req/s': median(own, speed) },
        ...{ 'x req/s': ratio(speed), p50: median(own, ({ p50 }) => p50), 'x p50': ratio(({ p50 }) => p50) },
        ...{ p99: median(own, ({ p99 }) => p99), CPU: median(own, cpuTotal), 'x CPU': ratio(cpuTotal) },
        'bytes sent': Math.round(median(own, ({ sentBytes }) => sentBytes)),
      };
    }),
  );
  for (const row of rows) sayErrors(`${NAMES[row.kind]}, ${row.side}`, row);
}

const speed = ({ requestsPerSecond }: TracesRow): number => requestsPerSecond;

function median(rows: readonly TracesRow[], value: (row: TracesRow) => number): number {
  const sorted = rows.map(value).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
