import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ReadLimiter } from './read-limiter.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

it.each([
  [1, 64],
  [100, 16],
  [2_000, 8],
])('a user whose reads take %d ms each has at most %d at a time', async (durationMs, expected) => {
  const limiter = new ReadLimiter();
  const client = new Socket();
  const running: (() => void)[] = [];
  const read = () => limiter.run('greedy', client, () => new Promise<void>((resolve) => running.push(resolve)));
  const reads = Array.from({ length: 300 }, read);
  await setImmediate();
  expect(running).toHaveLength(16);
  for (let round = 0; round < 4; round += 1) {
    jest.advanceTimersByTime(durationMs);
    for (const finish of running.splice(0)) finish();
    await setImmediate();
  }
  expect(running).toHaveLength(expected);
  while (running.length > 0) {
    for (const finish of running.splice(0)) finish();
    await setImmediate();
  }
  await Promise.all(reads);
});

it('a read that waits in a queue with reads of other users does not count as slow', async () => {
  const limiter = new ReadLimiter();
  const client = new Socket();
  const queued: (() => void)[] = [];
  const enqueue = (send: () => Promise<void>) => new Promise<void>((resolve) => queued.push(resolve)).then(send);
  const reads = Array.from({ length: 80 }, () => limiter.run('exporting', client, () => Promise.resolve(), enqueue));
  await setImmediate();
  jest.advanceTimersByTime(5_000);
  for (const leave of queued.splice(0)) leave();
  await setImmediate();
  expect(queued).toHaveLength(64);
  for (const leave of queued) leave();
  await Promise.all(reads);
});
