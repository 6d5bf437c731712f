import { ApiProblem, pause } from '@po/client';

/** Who hears that the API is waited for, and what ends that. */
export interface Patience {
  /** The API asks to come back after so many seconds; null when it goes on. */
  rest: (seconds: number | null) => void;
  signal: AbortSignal;
}

/** It was ended while the API was waited for, with nothing under way. */
export class Stopped extends Error {}

/** Where the API does not say how long. */
const REST_S = 5;

/** Asks again where the API has too much to do, as late as it says. */
export async function patiently<T>(ask: () => Promise<T>, { rest, signal }: Patience): Promise<T> {
  for (;;) {
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop -- the next attempt depends on this one
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 429)) throw error;
      const seconds = error.retryAfterS ?? REST_S;
      rest(seconds);
      // oxlint-disable-next-line eslint/no-await-in-loop -- as above
      await pause(seconds * 1000, signal).catch(() => undefined);
      rest(null);
      if (signal.aborted) throw new Stopped('stopped while waiting');
    }
  }
}
