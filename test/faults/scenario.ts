import { Random } from './random.js';
import { gatherEvidence, type Violation } from './oracle/evidence.js';
import { violationsOf } from './oracle/oracle.js';
import { MemoryWatch } from './memory-watch.js';
import { waitForRecovery } from './recovery.js';
import { Watch } from './watch.js';
import { type Load, type LoadOptions, startLoad } from './workload.js';
import type { World } from './world.js';

/** A fault that is injected while users work. */
export interface Scenario {
  name: string;
  /** Also part of the short selection that `npm run test:all` runs. */
  short?: boolean;
  /** Injects the fault and repairs it. Returns or throws what was wrong with the system during the fault. */
  fault: (world: World, random: Random, load: Load) => Promise<Violation[] | void>;
  load?: Pick<LoadOptions, 'limit' | 'workers' | 'pauseMs'>;
  /** Chooses the gateway of each call until stopped; round-robin if absent. */
  balancer?: (world: World) => { next: () => number; stop: () => void };
  /** Checks of this scenario, in addition to those of the oracle. */
  check?: (world: World) => Violation[];
  /** Limit of every replica's resident memory in MiB, from the start of the load to recovery. */
  memoryLimitMb?: number;
}

const WARM_UP = 25;
const SHOWN = 30;

/** The result of a scenario. */
interface Outcome {
  /** All violations; absent if there are none. */
  failure?: string;
  /** Measurements to print; empty if the scenario measures nothing. */
  measured: string;
}

/** Runs the fault under load, waits for recovery, then runs the oracle. Rejects only if a memory limit cannot be checked here. */
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
  const watch = new Watch(world);
  try {
    await runFault(world, scenario, violations);
    const over = performance.now();
    await waitForRecovery(world);
    world.agreedInMs = performance.now() - over;
  } finally {
    // A running watch would keep the process alive.
    violations.push(...(await watch.end()));
  }
  violations.push(...freshOf(world, violationsOf(await gatherEvidence(world))), ...(scenario.check?.(world) ?? []));
}

async function runFault(world: World, scenario: Scenario, violations: Violation[]): Promise<void> {
  const { name } = scenario;
  const random = Random.of(world.seed, name);
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
    // Runs even if operations cannot be settled, because a running balancer would keep the process alive.
    await load.finish().finally(() => balancer?.stop());
  }
}

// The oracle checks everything since the start, so violations from earlier scenarios are not reported again.
function freshOf(world: World, violations: Violation[]): Violation[] {
  const fresh = violations.filter((violation) => !world.reported.has(violation));
  for (const violation of fresh) world.reported.add(violation);
  return fresh;
}

/** One line with the number of operations by outcome. */
export function tally(world: World, scenario: string): string {
  const operations = world.log.of(scenario);
  const last = operations.map(({ attempts }) => attempts.at(-1)?.kind ?? 'unknown');
  const count = (kind: string) => last.filter((each) => each === kind).length;
  const retried = operations.filter(({ attempts }) => attempts.length > 1).length;
  return `${operations.length} operations: ${count('acknowledged')} acknowledged, ${count('refused')} refused, ${count('unknown')} unknown, ${retried} retried`;
}
