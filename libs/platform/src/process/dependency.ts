import { setTimeout as delay } from 'node:timers/promises';
import { backOffMs } from '../back-off.js';
import { messageOf } from '../error-message.js';
import type { Health } from './health.js';
import type { Logger } from '../logger.js';

const RETRY = { initialMs: 250, maxMs: 5_000 };

/**
 * Retries to open a dependency that this process cannot work without. Until then, readiness names the dependency.
 * Never rejects, so that a late store does not crash-loop its clients. Resolves with false once draining has started: the startup must
 * stop then, because the dependency is already closed or about to be.
 */
export async function waitForDependency(
  name: string,
  open: () => Promise<unknown>,
  { health, logger }: { health: Health; logger: Logger },
): Promise<boolean> {
  let reason = 'not tried yet';
  let available = false;
  health.addReadiness(name, () => available || `waiting for ${name}: ${reason}`);
  const { draining } = health;
  for (let failures = 1; !draining.aborted; failures += 1) {
    try {
      await open();
      available = true;
      break;
    } catch (error) {
      if (draining.aborted) break;
      reason = messageOf(error);
      const retryInMs = Math.round(backOffMs(failures, RETRY));
      logger.warn({ dependency: name, reason, retryInMs }, 'waiting for a dependency');
      await delay(retryInMs, undefined, { signal: draining }).catch(() => undefined);
    }
  }
  return !draining.aborted;
}
