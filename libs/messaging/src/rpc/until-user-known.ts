import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, ProblemError } from '@po/contracts';

const RETRY_DELAY_MS = 100;
/** Maximum number of waiting requests, because each occupies one of the slots in which all requests are handled. */
const MAX_WAITING = 3;

/** Repeats requests that depend on a user whose announcement arrives on another topic and may be handled after them. */
export class UntilUserKnown {
  private waiting = 0;

  /**
   * Repeats `run` while it fails with this code, for at most `forMs` and not beyond the deadline. Each run must be a transaction of its own,
   * because the announcement may wait for the locks of a transaction. If too many others wait, runs once.
   */
  async retry<T>(
    refusal: ErrorCode,
    { forMs, deadline }: { forMs: number; deadline: number },
    run: () => Promise<T>,
  ): Promise<T> {
    const last = Math.min(Date.now() + forMs, deadline) - RETRY_DELAY_MS;
    let waits = false;
    try {
      for (;;) {
        try {
          return await run();
        } catch (error) {
          const isRefused = error instanceof ProblemError && error.code === refusal;
          if (!isRefused || Date.now() > last || (!waits && this.waiting === MAX_WAITING)) throw error;
          if (!waits) this.waiting += 1;
          waits = true;
          await delay(RETRY_DELAY_MS);
        }
      }
    } finally {
      if (waits) this.waiting -= 1;
    }
  }
}
