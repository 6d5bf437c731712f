import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { HeldKeys } from './held-keys.js';

let held: HeldKeys;
beforeEach(() => {
  jest.useFakeTimers();
  held = new HeldKeys();
});
afterEach(() => void jest.useRealTimers());

it('HeldKeys holds only the keys of a failed partition, until it works again', () => {
  expect(held.failed('A', 't/0')).toBe(1);
  expect(held.failed('B', 't/0')).toBe(0);
  expect([held.holdIfFailing('C', () => ['t/1', 't/0']), held.holdIfFailing('D', () => ['t/1'])]).toEqual([
    true,
    false,
  ]);
  expect(held.list()).toEqual(['A', 'B', 'C']);
  held.succeeded('t/0');
  expect([held.list(), held.isEmpty]).toEqual([[], true]);
});

it('HeldKeys holds all rows of a held key, so that no row for another partition overtakes the first', () => {
  held.failed('A', 't/0');
  held.holdIfFailing('B', () => ['t/0']);
  expect([held.holdIfFailing('A', () => ['t/1']), held.holdIfFailing('B', () => ['t/1'])]).toEqual([true, true]);
});

it('HeldKeys retries 20 keys of a partition with back-off, while the others wait', () => {
  const keys = Array.from({ length: 50 }, (_, index) => `PO-${index}`);
  for (const key of keys) held.failed(key, 't/0');
  jest.advanceTimersByTime(200);
  expect(held.list()).toEqual(keys.slice(20));
  expect([held.holdIfFailing('PO-0', () => ['t/0']), held.holdIfFailing('PO-30', () => ['t/0'])]).toEqual([
    false,
    true,
  ]);
  for (const key of keys.slice(0, 20)) expect(held.failed(key, 't/0')).toBe(key === 'PO-0' ? 2 : 0);
  jest.advanceTimersByTime(199);
  expect(held.list()).toHaveLength(50);
  jest.advanceTimersByTime(201);
  expect(held.list()).toHaveLength(30);
});

it('HeldKeys retries other keys when the chosen ones have no rows', () => {
  for (const key of ['A', 'B']) held.failed(key, 't/0');
  jest.advanceTimersByTime(200);
  expect(held.list()).toEqual([]);
  held.holdIfFailing('C', () => ['t/0']);
  jest.advanceTimersByTime(1_999);
  expect(held.list()).toEqual(['C']);
  jest.advanceTimersByTime(1);
  expect(held.list()).toEqual([]);
});

it('HeldKeys holds the keys of a partition while its answer is awaited', () => {
  held.answerPending('t/0');
  expect(held.holdIfFailing('A', () => ['t/0'])).toBe(true);
  jest.advanceTimersByTime(3_600_000);
  expect(held.list()).toEqual(['A']);
  expect(held.failed('B', 't/0')).toBe(1);
  jest.advanceTimersByTime(2_000);
  expect(held.list()).toEqual([]);
});

it('HeldKeys tries some keys of a partition when no answer is awaited any more', () => {
  held.answerPending('t/0');
  held.holdIfFailing('A', () => ['t/0']);
  held.answerAbandoned('t/0');
  expect(held.list()).toEqual([]);
  held.failed('A', 't/0');
  held.answerAbandoned('t/0');
  expect(held.list()).toEqual(['A']);
});
