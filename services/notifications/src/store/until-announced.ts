import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, ProblemError } from '@po/contracts';

/** Milliseconds for which a write of a deleted user waits for the announcement that they are back. */
export const BACK_WITHIN_MS = 2_000;
const AGAIN_AFTER_MS = 100;
/** So many wait at a time: each keeps a place of those that requests of everybody are answered in. */
const MAX_WAITING = 3;
let waiting = 0;

/**
 * Runs it again while it is refused with this code, for so many milliseconds and not beyond the deadline: a user's announcement comes
 * on another topic than a command, and may be taken after it. Each run is to be a transaction of its own, because the announcement
 * waits for one that holds the directory. While others wait it is run once.
 */
export async function untilAnnounced<T>(
  refusal: ErrorCode,
  { forMs, deadline }: { forMs: number; deadline: number },
  run: () => Promise<T>,
): Promise<T> {
  const last = Math.min(Date.now() + forMs, deadline) - AGAIN_AFTER_MS;
  let waits = false;
  try {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        const isRefused = error instanceof ProblemError && error.code === refusal;
        if (!isRefused || Date.now() > last || (!waits && waiting === MAX_WAITING)) throw error;
        if (!waits) waiting += 1;
        waits = true;
        await delay(AGAIN_AFTER_MS);
      }
    }
  } finally {
    if (waits) waiting -= 1;
  }
}
