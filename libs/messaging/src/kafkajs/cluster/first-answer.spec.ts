import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { firstAnswer } from './first-answer.js';

const PATIENCE_MS = 100;
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Attempts that are started in turn; the test settles each one. */
function open(count: number) {
  const asked: PromiseWithResolvers<string>[] = [];
  const attempts = Array.from({ length: count }, () => () => {
    const attempt = Promise.withResolvers<string>();
    asked.push(attempt);
    return attempt.promise;
  });
  return { asked, answer: firstAnswer(attempts, PATIENCE_MS) };
}

it('firstAnswer asks the next broker when one fails, and rejects with the last error', async () => {
  const { asked, answer } = open(2);
  asked[0]?.reject(new Error('refused'));
  await jest.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(2);
  asked[1]?.reject(new Error('refused, too'));
  await expect(answer).rejects.toThrow('refused, too');
});

it('firstAnswer asks the next broker in parallel to a slow one, and takes the first answer', async () => {
  const { asked, answer } = open(3);
  await jest.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(asked).toHaveLength(2);
  asked[0]?.resolve('late, but first');
  expect(await answer).toBe('late, but first');
  await jest.advanceTimersByTimeAsync(10 * PATIENCE_MS);
  expect(asked).toHaveLength(2);
  expect(jest.getTimerCount()).toBe(0);
});

it('firstAnswer rejects without brokers', async () => {
  await expect(firstAnswer([], PATIENCE_MS)).rejects.toThrow('no broker');
});
