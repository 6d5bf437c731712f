import { printMachine, say, table } from '../report.js';
import type { StreamsResults } from './streams.js';

/** Prints what streams take, and how late they are told. */
export function printStreams({ machine, options, idle, latencies, gatewayCpuPercent, idleCpu }: StreamsResults): void {
  const { perSecond, watching, errors, ended, notification, changed } = latencies;
  printMachine(machine);
  say('\nThe gateway while nobody does anything: percent of a core, resident MB');
  table(
    idle.map(({ streams, cpuPercent, residentMb }) => ({ streams, 'CPU %': cpuPercent, 'resident MB': residentMb })),
  );
  say(
    `\n${options.open} streams, ${perSecond} transitions and ${perSecond} changes a second: ms from the 2xx to each of`,
  );
  say(`${watching} streams that are told of it`);
  table([
    { what: 'transition -> notification', ...notification },
    { what: 'PATCH -> po-changed', ...changed },
  ]);
  say(`Gateway: ${gatewayCpuPercent.toFixed(0)} % of a core; of the machine ${(100 * idleCpu).toFixed(0)} % idle.`);
  say(`Errors: ${errors}; streams that ended: ${ended}`);
}
