import type { Health } from './health.js';
import type { Logger } from './logger.js';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

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
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LAST_RETRY_MS)) {
    try {
      const opened = await open();
      available = true;
      return opened;
    } catch (error) {
      reason = error instanceof Error ? error.message || error.name : String(error);
      logger.warn({ dependency: name, reason, retryInMs: delay }, 'waiting for a dependency');
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
