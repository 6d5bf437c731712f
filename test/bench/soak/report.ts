import { printMachine, say, table } from '../report.js';
import { afterWarmUp, inTheEnd } from './growth.js';
import type { MemorySample } from './memory.js';
import type { SoakResults } from './soak.js';

/** Prints what was answered and how the memory of each process went. */
export function printSoak({ machine, options, load, happenings, growth, samples }: SoakResults): void {
  const { minutes, rate, assortment } = options;
  printMachine(machine);
  say(
    `\n${rate} requests a second for ${minutes} min on ${assortment.orders} orders. Milliseconds from when each was due`,
  );
  table(
    Object.entries(load.latencies).map(([what, { requests, p50, p95, p99 }]) => ({
      what,
      '2xx': requests,
      p50,
      p95,
      p99,
    })),
  );
  const statuses = Object.entries(load.statuses).map(([status, count]) => `${status}: ${count}`);
  say(`Answers by status: ${statuses.join(', ')}. Failed: ${load.failed}`);
  if (load.firstFailure !== null) say(`  the first: ${load.firstFailure}`);
  for (const { what, atS, tookS } of happenings) say(`After ${atS.toFixed(0)} s: ${what}, in ${tookS.toFixed(1)} s`);
  say(
    '\nMemory, MB: resident (of the stores without files and shared buffers), and the least of heap and external memory',
  );
  table(
    Object.entries(growth).map(([name, { start, warm, max, end, slope, verdict }]) => ({
      ...{ process: name, start, 'after warm-up': warm, max, end, 'MB/min': slope, verdict },
      'heap after warm-up': least(afterWarmUp(samples[name] ?? []), 'heapUsedMb'),
      'heap at the end': least(inTheEnd(samples[name] ?? []), 'heapUsedMb'),
      'external at the end': least(inTheEnd(samples[name] ?? []), 'externalMb'),
    })),
  );
}

/** What was left when most garbage had been collected; empty where it is not known. */
function least(samples: readonly MemorySample[], of: 'heapUsedMb' | 'externalMb'): number | string {
  const known = samples.flatMap((sample) => sample[of] ?? []);
  return known.length === 0 ? '' : Math.min(...known);
}
