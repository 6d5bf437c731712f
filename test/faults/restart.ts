import { SERVICES } from '../../deploy/local/stack-file.js';
import { eventually } from '../support/eventually.js';
import { allReady } from './recovery.js';
import { type World, managementUrls } from './world.js';

const READY_MS = 60_000;

/** Ends every replica in order and starts it again, with these variables from now on. Resolves when all are ready. */
export async function restartAll(world: World, environment: Record<string, string> = {}): Promise<void> {
  await Promise.all(
    SERVICES.flatMap((service) => world.replicas(service)).map(async (process) => {
      world.ended.add(process);
      await process.suspend('SIGTERM');
      process.resume(environment);
    }),
  );
  await eventually('every replica is ready after the restart', () => allReady(managementUrls(world)), {
    timeoutMs: READY_MS,
  });
}
