import { SERVICES, type ServiceName } from '../../../deploy/local/stack/stack-file.js';
import type { Process } from '../../../deploy/local/processes/process.js';
import { eventually } from '@po/testing/eventually';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import type { Load } from '../workload.js';
import type { World } from '../world.js';

/** Covers the group session timeout of the killed replica and the concurrent start of five services. */
const READY_MS = 60_000;

/** Resolves when the replacement of an ended replica is ready. */
export async function waitForReplacement(
  world: World,
  service: ServiceName,
  replica: number,
  oldPid: number,
): Promise<void> {
  const process = world.replicas(service)[replica] as Process;
  const url = world.stack.file().managementUrls[service][replica] ?? '';
  await eventually(
    `${service} ${replica} is ready again`,
    async () => process.pid !== oldPid && (await fetch(`${url}/readyz`)).ok,
    { timeoutMs: READY_MS },
  );
}

/** Kills a replica by SIGKILL after some more operations and waits for its replacement. */
export async function kill(
  world: World,
  random: Random,
  load: Load,
  service: ServiceName,
  replica: number,
): Promise<void> {
  const victim = world.replicas(service)[replica] as Process;
  await load.more(random.int(1, 40));
  const { pid } = victim;
  world.ended.add(victim);
  process.kill(pid, 'SIGKILL');
  await waitForReplacement(world, service, replica, pid);
}

const killed = (service: ServiceName): Scenario => ({
  name: `kill -9 of both replicas of ${service}`,
  fault: async (world, random, load) => {
    await Promise.all([0, 1].map((replica) => kill(world, random, load, service, replica)));
  },
});

export const KILLS: Scenario[] = [
  {
    name: 'kill -9 of one replica of every service',
    short: true,
    fault: async (world, random, load) => {
      const services = random.shuffled(SERVICES);
      await Promise.all(services.map((service) => kill(world, random, load, service, random.int(0, 1))));
    },
  },
  ...SERVICES.map(killed),
];
