import { Random } from './random.js';
import { gatherEvidence, type Violation } from './oracle/evidence.js';
import { violationsOf } from './oracle/oracle.js';
import { MemoryWatch } from './memory-watch.js';
import { recovered } from './recovery.js';
import { Watch } from './watch.js';
import { type Load, type LoadOptions, startLoad } from './workload.js';
import type { World } from './world.js';

/** A fault while users work. */
export interface Scenario {
  name: string;
  /** Also part of the short selection that `npm test` runs. */
  short?: boolean;
  /** Does the harm and heals it. What it answers or throws is wrong with how the system behaved meanwhile. */
  fault: (world: World, random: Random, load: Load) => Promise<Violation[] | void>;
  load?: Pick<LoadOptions, 'limit' | 'workers' | 'pauseMs'>;
  /** Chooses the gateway of each call, until stopped; both in turn if absent. */
  balancer?: (world: World) => { next: () => number; stop: () => void };
  /** Checks of its own over what was done, beside the oracle's. */
  check?: (world: World) => Violation[];
  /** MiB that no replica's resident memory may exceed, from the start of the load to recovery. */
  memoryLimitMb?: number;
}

const WARM_UP = 25;
const SHOWN = 30;

/** What came of a scenario. */
interface Outcome {
  /** Everything that is wrong; absent if nothing is. */
  failure?: string;
  /** Lines for the reader; empty if the scenario measures nothing. */
  measured: string;
}

/** Runs the fault under load, waits for recovery, then asks the oracle. Never rejects. */
export async function runScenario(world: World, scenario: Scenario): Promise<Outcome> {
  const { memoryLimitMb } = scenario;
  const memory = memoryLimitMb === undefined ? null : new MemoryWatch(world, memoryLimitMb);
  const violations: Violation[] = [];
  await look(world, scenario, violations).catch(({ message }: Error) => violations.push(message));
  violations.push(...(memory?.end() ?? []));
  const measured = memory ? `\n  ${memory.summary()}` : '';
  if (violations.length === 0) return { measured };
  const more = violations.length > SHOWN ? `\n… and ${violations.length - SHOWN} more` : '';
  const failure = `${violations.length} violation(s):\n${violations.slice(0, SHOWN).join('\n')}${more}`;
  return { failure, measured };
}

async function look(world: World, scenario: Scenario, violations: Violation[]): Promise<void> {
  const random = Random.of(world.seed, scenario.name);
  const watch = new Watch(world);
  const { name } = scenario;
  const balancer = scenario.balancer?.(world);
  const load = startLoad(world, {
    ...scenario.load,
    scenario: name,
    random,
    gateway: balancer && (() => balancer.next()),
  });
  try {
    await load.served(WARM_UP);
    violations.push(...((await scenario.fault(world, random, load)) ?? []));
    await load.served(WARM_UP);
  } finally {
    // Whatever cannot be settled: what goes on beside the load would keep the run from ending.
    await load.finish().finally(async () => {
      balancer?.stop();
      violations.push(...(await watch.end()));
    });
  }
  const over = performance.now();
  await recovered(world);
  world.agreedInMs = performance.now() - over;
  violations.push(...freshOf(world, violationsOf(await gatherEvidence(world))), ...(scenario.check?.(world) ?? []));
}

// The oracle looks at everything since the start: what an earlier scenario broke is that one's failure.
function freshOf(world: World, violations: Violation[]): Violation[] {
  const fresh = violations.filter((violation) => !world.reported.has(violation));
  for (const violation of fresh) world.reported.add(violation);
  return fresh;
}

/** One line: how many operations ended how. */
export function tally(world: World, scenario: string): string {
  const operations = world.log.of(scenario);
  const last = operations.map(({ attempts }) => attempts.at(-1)?.kind ?? 'unknown');
  const count = (kind: string) => last.filter((each) => each === kind).length;
  const asked = operations.filter(({ attempts }) => attempts.length > 1).length;
  return `${operations.length} operations: ${count('acknowledged')} acknowledged, ${count('refused')} refused, ${count('unknown')} unknown, ${asked} asked again`;
}
