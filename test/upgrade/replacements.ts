import { programOf } from '../../deploy/local/stack/services.js';
import { SERVICES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import type { Process } from '../../deploy/local/processes/process.js';
import type { Violation } from '../faults/oracle/evidence.js';
import { Random } from '../faults/random.js';
import type { Scenario } from '../faults/scenario.js';
import { waitForReplacement } from '../faults/scenarios/kills.js';
import { Balancer, failuresOf } from '../faults/scenarios/replicas.js';
import type { World } from '../faults/world.js';
import { eventually } from '@po/testing/eventually';
import { readEverything } from './reads.js';

/** An orchestrator grants 45 s; a replica must need less than half of that. */
const EXIT_MS = 20_000;
/** Operations that every mix of versions must serve before the next replica is replaced. */
const MIN_SERVED = 30;

interface Replacement {
  service: ServiceName;
  /** The root of a built checkout. */
  build: string;
}

/** Replaces the replicas of a service one by one with those of another build, as an orchestrator does. Awaits `served` after each. */
async function replace(
  world: World,
  random: Random,
  { service, build }: Replacement,
  served: () => Promise<void>,
): Promise<void> {
  for (const replica of random.shuffled([0, 1])) {
    const victim = world.replicas(service)[replica] as Process;
    const { pid } = victim;
    let exited = false;
    world.ended.add(victim);
    void victim.suspend('SIGTERM').then(() => (exited = true));
    await eventually(`${service} ${replica} exits`, () => exited, { timeoutMs: EXIT_MS });
    victim.resume({}, programOf(service, build));
    await waitForReplacement(world, service, replica, pid);
    await served();
  }
}

// Users send only valid requests, so a 400 or 401 means that one version misread the other.
const misreadIn = (world: World, scenario: string): Violation[] =>
  world.log
    .of(scenario)
    .flatMap(({ mark, kind, target, attempts, startedAt }) =>
      attempts
        .filter((outcome) => outcome.kind === 'refused' && [400, 401].includes(outcome.status))
        .map(
          (outcome) =>
            `operation ${mark} (${kind} of ${target} at ${startedAt}) was misread: ${JSON.stringify(outcome)}`,
        ),
    );

const replacing = (name: string, reads: readonly string[], replacements: readonly Replacement[]): Scenario => ({
  name,
  balancer: (world) => new Balancer(world),
  fault: async (world, random, load) => {
    const unread: Violation[] = [];
    for (const replacement of replacements) {
      await replace(world, random, replacement, async () => {
        await load.served(MIN_SERVED);
        unread.push(...(await readEverything(world, reads)));
      });
    }
    return unread;
  },
  check: (world) => [...failuresOf(world, name), ...misreadIn(world, name)],
});

interface Upgrade {
  seed: number;
  /** Roots of built checkouts. */
  previous: string;
  next: string;
  /** Paths that users read in every mix of the two builds. */
  reads: readonly string[];
  /** Whether to go back, too, and to run each service alone among those of the other version. */
  all: boolean;
}

/**
 * Scenarios of an upgrade from the previous build to the next, service by service in random order. The full selection also goes back in
 * the same order: each service then meets each other one once as the newer and once as the older.
 */
export function upgrades({ seed, previous, next, reads, all }: Upgrade): Scenario[] {
  const order = Random.of(seed, 'order of an upgrade').shuffled(SERVICES);
  const to = (build: string) => order.map((service) => ({ service, build }));
  const forward = replacing(`the next version of ${order.join(', then ')}`, reads, to(next));
  if (!all) return [forward];
  const back = replacing(`back to the previous version of ${order.join(', then ')}`, reads, to(previous));
  const alone = (which: string, build: string, around: string) =>
    SERVICES.map((service) =>
      replacing(`${which} version of ${service} alone, and back`, reads, [
        { service, build },
        { service, build: around },
      ]),
    );
  return [...alone('the next', next, previous), forward, ...alone('the previous', previous, next), back];
}
