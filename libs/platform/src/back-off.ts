import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of the first and the longest pause between attempts. Each pause doubles the previous one. */
interface BackOff {
  initialMs: number;
  maxMs: number;
}

/**
 * Milliseconds to wait after this number of consecutive failures. Jitter shortens the pause by up to half and never lengthens it, so
 * processes that failed together retry one by one and within the given limits.
 */
export function backOffMs(failures: number, { initialMs, maxMs }: BackOff): number {
  return Math.min(initialMs * 2 ** (failures - 1), maxMs) * (0.5 + Math.random() / 2);
}

/** True for the 1st, 2nd, 4th, 8th … consecutive failure, so that an outage of an hour does not log one line per attempt. */
export const shouldLog = (failures: number): boolean => Number.isInteger(Math.log2(failures));

/**
 * Retries until `attempt` succeeds (true) or `stopped` returns true before the next attempt (false). `onError` gets each failure and
 * may throw to end the retries. A pause does not keep the process alive.
 */
export async function retry(
  attempt: () => Promise<unknown>,
  {
    stopped,
    onError,
    ...backOff
  }: BackOff & { stopped: () => boolean; onError?: (error: unknown, failures: number) => void },
): Promise<boolean> {
  for (let failures = 1; !stopped(); failures += 1) {
    try {
      await attempt();
      return true;
    } catch (error) {
      onError?.(error, failures);
      await delay(backOffMs(failures, backOff), undefined, { ref: false });
    }
  }
  return false;
}

/** Resolves after `ms`, or when `over` is aborted. Does not keep the process alive. */
export const pause = (ms: number, over: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal: over, ref: false }).catch(() => undefined);

/** Whether `work` ends within `ms`; later it continues in the background. Rejects if `work` fails in time. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}
