import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { firstSuccess } from './first-success.js';

const HEDGE_DELAY_MS = 100;
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Attempts that are started in turn; the test settles each one. */
function open(count: number) {
  const started: PromiseWithResolvers<string>[] = [];
  const attempts = Array.from({ length: count }, () => () => {
    const attempt = Promise.withResolvers<string>();
    started.push(attempt);
    return attempt.promise;
  });
  return { started, success: firstSuccess(attempts, HEDGE_DELAY_MS) };
}

it('firstSuccess asks the next broker when one fails, and rejects with the last error', async () => {
  const { started, success } = open(2);
  started[0]?.reject(new Error('refused'));
  await jest.advanceTimersByTimeAsync(0);
  expect(started).toHaveLength(2);
  started[1]?.reject(new Error('refused, too'));
  await expect(success).rejects.toThrow('refused, too');
});

it('firstSuccess asks the next broker in parallel to a slow one, and takes the first success', async () => {
  const { started, success } = open(3);
  await jest.advanceTimersByTimeAsync(HEDGE_DELAY_MS);
  expect(started).toHaveLength(2);
  started[0]?.resolve('late, but first');
  expect(await success).toBe('late, but first');
  await jest.advanceTimersByTimeAsync(10 * HEDGE_DELAY_MS);
  expect(started).toHaveLength(2);
  expect(jest.getTimerCount()).toBe(0);
});

it('firstSuccess rejects without brokers', async () => {
  await expect(firstSuccess([], HEDGE_DELAY_MS)).rejects.toThrow('no broker');
});
