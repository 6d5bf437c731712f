import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
/** Long enough for a busy machine; only a failure waits this long. */
const TIMEOUT_MS = 60_000;

/**
 * Polls until `probe` returns something other than undefined or false without throwing, and returns that value. On timeout, rejects with
 * the label and the last error, if the last probe threw. `giveUp` may end the wait early by returning the reason.
 */
export async function eventually<T>(
  label: string,
  probe: () => Promise<T> | T,
  { timeoutMs = TIMEOUT_MS, giveUp }: { timeoutMs?: number; giveUp?: () => Error | undefined } = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  do {
    try {
      last = await probe();
      if (last !== undefined && last !== false) return last as Exclude<T, undefined | false>;
    } catch (error) {
      last = error;
    }
    const reason = giveUp?.();
    if (reason) throw reason;
    await delay(POLL_MS);
  } while (performance.now() < deadline);
  // Not instanceof: errors of Node itself are of another realm than the tests of Jest.
  const shown = last ? (last as Error).message : 'no result';
  throw new Error(`not within ${timeoutMs} ms: ${label}; last: ${shown}`, { cause: last });
}
