import { MAX_IMPORT_ROWS } from '@po/contracts';
import { printMachine, say, table } from '../report.js';
import type { ExportsResults } from './exports.js';

/** Prints what files took, and what others noticed of them. */
export function printExports({
  machine,
  options,
  rows,
  alone,
  downloads,
  uploads,
  greedy,
  stretches,
}: ExportsResults): void {
  const { assortment, rounds } = options;
  printMachine(machine);
  say(
    `\nExports of ${assortment.orders} orders, ${rows} rows those of the vendor; medians of ${rounds}, memory of the gateway in MB`,
  );
  table(
    downloads.map(({ name, status, bytes, seconds, firstByteMs, before, peak }) => ({
      ...{ file: name, status, MB: bytes / 1e6, seconds, 'first byte ms': firstByteMs },
      ...{ resident: before.resident, 'at most': peak.resident, heap: before.heap, 'heap at most': peak.heap },
      'external at most': peak.external,
    })),
  );
  say(`\nImports of ${MAX_IMPORT_ROWS} rows that all change, ms`);
  table(uploads.map(({ name, bytes, taken: { p50, p95 } }) => ({ file: name, MB: bytes / 1e6, p50, p95 })));
  say('\nGET one order, 50 a second, ms from when each was due');
  table(
    [{ name: 'nothing', beside: alone }, ...downloads, ...uploads, greedy].map(({ name, beside }) => ({
      beside: name,
      ...beside,
    })),
  );
  say(`\n${greedy.name}, again and again: ${greedy.made} made, ${greedy.refused} refused with 429`);
  say('\nFiles alone in a process: ms, CPU, and the longest time in which it could do nothing else');
  table(stretches.map(({ name, ms, cpuMs, longestMs }) => ({ work: name, ms, CPU: cpuMs, longest: longestMs })));
}
