import { ApiProblem, pause } from '@po/client';

/** Callback for waits, and the signal that aborts them. */
export interface RetryControl {
  /** Called with the seconds to wait for the API; null when the wait is over. */
  onWait: (seconds: number | null) => void;
  signal: AbortSignal;
}

/** The wait was aborted while no request was in flight. */
export class StoppedError extends Error {}

/** Wait if the API sends no Retry-After. */
const DEFAULT_WAIT_S = 5;

/** Retries after 429 as long as necessary, each time after the wait that the API asks for. */
export async function retryRateLimited<T>(ask: () => Promise<T>, { onWait, signal }: RetryControl): Promise<T> {
  for (;;) {
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop -- the next attempt depends on this one
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 429)) throw error;
      const seconds = error.retryAfterS ?? DEFAULT_WAIT_S;
      onWait(seconds);
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      await pause(seconds * 1000, signal).catch(() => undefined);
      onWait(null);
      if (signal.aborted) throw new StoppedError('stopped while waiting');
    }
  }
}
