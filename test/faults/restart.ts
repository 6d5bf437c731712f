import { allReady } from '../../deploy/local/stack/readiness.js';
import { SERVICES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import { eventually } from '@po/testing/eventually';
import type { World } from './world.js';

const READY_MS = 60_000;

/** Stops every replica by SIGTERM and starts it again with these variables. Resolves when all are ready. */
export const restartAll = (world: World, environment: Record<string, string> = {}): Promise<void> =>
  whileStopped(world, SERVICES, () => Promise.resolve(), environment);

/** Stops these services by SIGTERM, does the work, and starts them again with these variables. Resolves when they are ready. */
export async function whileStopped(
  world: World,
  services: readonly ServiceName[],
  work: () => Promise<unknown>,
  environment: Record<string, string> = {},
): Promise<void> {
  const processes = services.flatMap((service) => world.replicas(service));
  for (const process of processes) world.ended.add(process);
  await Promise.all(processes.map((process) => process.suspend('SIGTERM')));
  try {
    await work();
  } finally {
    for (const process of processes) process.resume(environment);
  }
  const urls = services.flatMap((service) => world.stack.file().managementUrls[service]);
  await eventually(`${services.join()} are ready`, () => allReady(urls), { timeoutMs: READY_MS });
}
