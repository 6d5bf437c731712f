import { setTimeout as delay } from 'node:timers/promises';
import { allReady } from '../../deploy/local/stack/readiness.js';
import { eventually } from '@po/testing/eventually';
import { waitForInSync } from '../cluster/brokers.js';
import { BulkImport } from '../cluster/bulk-import.js';
import { BROKERS } from '../cluster/world.js';
import { Random } from '../faults/random.js';
import { failOver } from '../faults/scenarios/failover.js';
import { whileFollowed } from '../faults/scenarios/streams.js';
import type { Violation } from '../faults/oracle/evidence.js';
import type { Load } from '../faults/workload.js';
import { managementUrls } from '../faults/world.js';
import { CHAOS_FAULTS, type ChaosFault } from './faults.js';
import type { ChaosWorld } from './world.js';

export const NAME = 'chaos';
const ROUND_MS = 15_000;
/** Promised recovery time after a fault. */
const RECOVERY_MS = 30_000;
const MIN_SERVED = 10;
/** Number of rounds between two bulk imports, which take twelve seconds each. */
const IMPORT_EVERY = 12;
const FAILOVER = 'PostgreSQL fails over to a standby';

/** Recovery times in milliseconds by fault name. */
export type Recoveries = Map<string, number[]>;

/** Injects one or two faults at a time for `ms`, while users work, follow streams, and orders are imported in bulk. */
export async function chaos(
  world: ChaosWorld,
  { random, load, ms, recoveries }: { random: Random; load: Load; ms: number; recoveries: Recoveries },
): Promise<Violation[]> {
  const beganAt = performance.now();
  const note = (names: readonly string[], recoveryMs: number) => {
    for (const name of names) recoveries.set(name, [...(recoveries.get(name) ?? []), recoveryMs]);
  };
  const next = pairsOf(random);
  let hasFailedOver = false;
  return whileFollowed(world, 1, async () => {
    for (let round = 0; performance.now() - beganAt < ms; round += 1) {
      const until = delay(ROUND_MS);
      const imports =
        round % IMPORT_EVERY === 1 ? new BulkImport(world, NAME, Random.of(world.seed, `${round}`)) : null;
      const faults = next();
      const names = faults.map(({ name }) => name);
      try {
        // The failover needs the complete data of the old primary, so no other fault runs at the same time.
        if (!hasFailedOver && performance.now() - beganAt > ms / 2) {
          hasFailedOver = true;
          await failOver(world, random, load);
          note([FAILOVER], await recovery(world, load));
        }
        await Promise.all(faults.map(({ inject }) => inject(world, random)));
        note(names, await recovery(world, load));
        await load.settle();
      } catch (cause) {
        throw new Error(`in round ${round}: ${names.join(' and ')}: ${(cause as Error).message}`, { cause });
      } finally {
        await imports?.stop();
      }
      await waitForInSync(world, BROKERS);
      await until;
    }
  });
}

/** Returns a function that draws two faults of different parts, in random order; every fault is drawn equally often. */
function pairsOf(random: Random): () => ChaosFault[] {
  let waiting: ChaosFault[] = [];
  return () => {
    if (waiting.length < 2) waiting = [...waiting, ...random.shuffled(CHAOS_FAULTS)];
    const [first, ...others] = waiting as [ChaosFault, ...ChaosFault[]];
    const second = others.find(({ part }) => part !== first.part);
    waiting = others.filter((fault) => fault !== second);
    return second ? [first, second] : [first];
  };
}

/** Milliseconds until every replica is ready and users are served again. Rejects after the promised recovery time. */
async function recovery(world: ChaosWorld, load: Load): Promise<number> {
  const healedAt = performance.now();
  await eventually('every replica is ready', () => allReady(managementUrls(world)), { timeoutMs: RECOVERY_MS });
  await load.served(MIN_SERVED);
  return performance.now() - healedAt;
}

/** Recovery times as a Markdown table, the slowest fault first. */
export function tableOf(recoveries: Recoveries): string {
  const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
  const rows = [...recoveries]
    .map(([name, times]) => ({ name, times: times.toSorted((a, b) => a - b) }))
    .toSorted((a, b) => (b.times.at(-1) ?? 0) - (a.times.at(-1) ?? 0))
    .map(({ name, times }) => {
      const median = times[Math.floor((times.length - 1) / 2)];
      return `| ${name} | ${times.length} | ${seconds(median)} | ${seconds(times.at(-1))} |`;
    });
  return ['| fault | times | recovery, median, s | longest, s |', '|-|-|-|-|', ...rows].join('\n');
}
