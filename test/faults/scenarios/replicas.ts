import { SERVICES, type ServiceName } from '../../../deploy/local/stack/stack-file.js';
import { isRunning } from '../../../deploy/local/processes/leftovers.js';
import type { Process } from '../../../deploy/local/processes/process.js';
import { eventually } from '@po/testing/eventually';
import type { Outcome } from '../operation-log.js';
import type { Violation } from '../oracle/evidence.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { type World, managementUrls } from '../world.js';
import { waitForReplacement } from './kills.js';

const ROUNDS = 3;
/** An orchestrator grants a replica 45 s to exit; it must need less than half of that. */
const EXIT_MS = 20_000;
const POLL_MS = 100;

/** Stops a replica by SIGTERM and waits for its replacement. */
export async function stopGracefully(world: World, service: ServiceName, replica: number): Promise<void> {
  const victim = world.replicas(service)[replica] as Process;
  const { pid } = victim;
  world.ended.add(victim);
  process.kill(pid, 'SIGTERM');
  await eventually(`${service} ${replica} exits`, () => victim.pid !== pid || !isRunning(pid), { timeoutMs: EXIT_MS });
  await waitForReplacement(world, service, replica, pid);
}

/** A round-robin load balancer over the gateways that report ready, without retries. */
export class Balancer {
  private ready: number[] = [0, 1];
  private turn = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly world: World) {
    this.timer = setInterval(() => void this.look(), POLL_MS);
  }

  next(): number {
    this.turn += 1;
    return this.ready[this.turn % this.ready.length] ?? 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const urls = managementUrls(this.world).slice(0, 2);
    const states = await Promise.all(
      urls.map((url) =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    this.ready = [0, 1].filter((gateway) => states[gateway]);
  }
}

/** Share of attempts that may be late in the short selection, which runs next to other tests. */
const MAX_LATE_SHARE = 0.02;

/** All attempts of this scenario without an answer or with 5xx. Late answers count only if they exceed MAX_LATE_SHARE. */
export function failuresOf(world: World, scenario: string): Violation[] {
  const operations = world.log.of(scenario);
  const tries = operations.flatMap(({ attempts, ...operation }) =>
    attempts.map((outcome) => ({ ...operation, outcome })),
  );
  const failed = tries.filter(
    ({ outcome }) => outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.status >= 500),
  );
  const late = failed.filter(({ outcome }) => isLate(outcome));
  const mayBeLate = process.env.FAULTS_ALL === '1' ? 0 : tries.length * MAX_LATE_SHARE;
  return failed
    .filter(({ outcome }) => late.length > mayBeLate || !isLate(outcome))
    .map(({ mark, kind, target, startedAt, outcome }) => {
      return `operation ${mark} (${kind} of ${target} at ${startedAt}) failed: ${JSON.stringify(outcome)}`;
    });
}

const isLate = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' ? outcome.status === 503 : outcome.kind === 'unknown' && outcome.why.startsWith('504 ');

/** Stops replicas of every service one after another behind a balancer: no request may fail. */
const drained = (name: string, short: boolean, replicasOf: (random: Random) => readonly number[]): Scenario => ({
  name,
  short,
  balancer: (world) => new Balancer(world),
  fault: async (world, random, load) => {
    for (const service of SERVICES) {
      for (const replica of replicasOf(random)) {
        await stopGracefully(world, service, replica);
        await load.served(10);
      }
    }
  },
  check: (world) => failuresOf(world, name),
});

export const REPLICAS: Scenario[] = [
  {
    name: 'one replica of every service joining and leaving',
    fault: async (world, random, load) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all(SERVICES.map((service) => stopGracefully(world, service, random.int(0, 1))));
        await load.more(random.int(5, 30));
      }
    },
  },
  drained('SIGTERM of one replica of every service fails no request', true, (random) => [random.int(0, 1)]),
  drained('SIGTERM of every replica in turn fails no request', false, (random) => random.shuffled([0, 1])),
];
