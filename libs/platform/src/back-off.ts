import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of the first and of the longest pause between attempts; each pause is twice the one before. */
interface Pace {
  firstMs: number;
  lastMs: number;
}

/**
 * Milliseconds to wait after so many failures in a row. Jitter only shortens, by a half at most: processes that failed together come
 * back one by one, and none later than its pace says.
 */
export function pauseOf(failures: number, { firstMs, lastMs }: Pace): number {
  return Math.min(firstMs * 2 ** (failures - 1), lastMs) * (0.5 + Math.random() / 2);
}

/** True for the 1st, 2nd, 4th, 8th … failure in a row: an outage of an hour must not fill the log with one line a try. */
export const isWorthALine = (failures: number): boolean => Number.isInteger(Math.log2(failures));

/**
 * Tries until `attempt` succeeds (true) or `stopped` says so before the next try (false). `onError` sees each failure and may throw
 * to end the tries. A pause does not keep the process alive.
 */
export async function retry(
  attempt: () => Promise<unknown>,
  {
    stopped,
    onError,
    ...pace
  }: Pace & { stopped: () => boolean; onError?: (error: unknown, failures: number) => void },
): Promise<boolean> {
  for (let failures = 1; !stopped(); failures += 1) {
    try {
      await attempt();
      return true;
    } catch (error) {
      onError?.(error, failures);
      await delay(pauseOf(failures, pace), undefined, { ref: false });
    }
  }
  return false;
}

/** Resolves after so many milliseconds, or when `over` is aborted. Does not keep the process alive. */
export const pause = (ms: number, over: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal: over, ref: false }).catch(() => undefined);

/** Whether the work ends within so many milliseconds; otherwise it continues. Rejects if it fails in time. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}
