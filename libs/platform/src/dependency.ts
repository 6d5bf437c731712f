import { setTimeout as delay } from 'node:timers/promises';
import { pauseOf } from './back-off.js';
import type { Health } from './health.js';
import type { Logger } from './logger.js';

const PACE = { firstMs: 250, lastMs: 5_000 };

/**
 * Keeps trying to open something this process cannot work without. Until it is there, readiness says what is waited for.
 * Never rejects: a store that is late must not crash-loop its clients.
 */
export async function waitForDependency<T>(
  name: string,
  open: () => Promise<T>,
  { health, logger }: { health: Health; logger: Logger },
): Promise<T> {
  let reason = 'not tried yet';
  let available = false;
  health.addReadiness(name, () => available || `waiting for ${name}: ${reason}`);
  for (let failures = 1; ; failures += 1) {
    try {
      const opened = await open();
      available = true;
      return opened;
    } catch (error) {
      reason = error instanceof Error ? error.message || error.name : String(error);
      const retryInMs = Math.round(pauseOf(failures, PACE));
      logger.warn({ dependency: name, reason, retryInMs }, 'waiting for a dependency');
      await delay(retryInMs);
    }
  }
}
