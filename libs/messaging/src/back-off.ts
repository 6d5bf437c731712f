import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 50;
const LAST_MS = 5_000;

/**
 * Tries until `attempt` succeeds (true) or `stopped` says so before the next try (false), with jittered, doubling pauses of at
 * most 5 s. `onError` sees each failure and may throw to end the tries.
 */
export async function backOff(
  stopped: () => boolean,
  attempt: () => Promise<unknown>,
  onError: (error: unknown, attempts: number) => void = () => undefined,
): Promise<boolean> {
  for (let attempts = 1; !stopped(); attempts += 1) {
    try {
      await attempt();
      return true;
    } catch (error) {
      onError(error, attempts);
      const pause = Math.min(FIRST_MS * 2 ** (attempts - 1), LAST_MS);
      await delay(pause / 2 + (Math.random() * pause) / 2, undefined, { ref: false });
    }
  }
  return false;
}
