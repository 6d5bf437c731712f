import { type Quantiles, quantilesOf } from '../load/quantiles.js';

/** What is done before anything counts. */
export const WARM_UP = 5;

/** Does something; `nth` counts from 0, what does not count included. */
export type Act = (nth: number) => Promise<unknown>;

/** How long each of so many takes, one after another. `before` is done before each and does not count. */
export async function timed(times: number, act: Act, before: Act = () => Promise.resolve()): Promise<Quantiles> {
  const taken: number[] = [];
  for (let nth = 0; nth < WARM_UP + times; nth += 1) {
    await before(nth);
    const startedAt = performance.now();
    await act(nth);
    if (nth >= WARM_UP) taken.push(performance.now() - startedAt);
  }
  return quantilesOf(taken);
}
