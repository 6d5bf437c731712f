import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { BlockedKeys } from './blocked-keys.js';

let blocked: BlockedKeys;
beforeEach(() => {
  jest.useFakeTimers();
  blocked = new BlockedKeys();
});
afterEach(() => void jest.useRealTimers());

it('BlockedKeys blocks only the keys of a failed partition, until it works again', () => {
  expect(blocked.failed('A', 't/0')).toBe(1);
  expect(blocked.failed('B', 't/0')).toBe(0);
  expect([blocked.blockIfFailing('C', () => ['t/1', 't/0']), blocked.blockIfFailing('D', () => ['t/1'])]).toEqual([
    true,
    false,
  ]);
  expect(blocked.waiting()).toEqual(['A', 'B', 'C']);
  blocked.succeeded('t/0');
  expect([blocked.waiting(), blocked.isEmpty]).toEqual([[], true]);
});

it('BlockedKeys blocks all rows of a blocked key, so that no row for another partition overtakes the first', () => {
  blocked.failed('A', 't/0');
  blocked.blockIfFailing('B', () => ['t/0']);
  expect([blocked.blockIfFailing('A', () => ['t/1']), blocked.blockIfFailing('B', () => ['t/1'])]).toEqual([
    true,
    true,
  ]);
});

it('BlockedKeys retries 20 keys of a partition with back-off, while the others wait', () => {
  const keys = Array.from({ length: 50 }, (_, index) => `PO-${index}`);
  for (const key of keys) blocked.failed(key, 't/0');
  jest.advanceTimersByTime(200);
  expect(blocked.waiting()).toEqual(keys.slice(20));
  expect([blocked.blockIfFailing('PO-0', () => ['t/0']), blocked.blockIfFailing('PO-30', () => ['t/0'])]).toEqual([
    false,
    true,
  ]);
  for (const key of keys.slice(0, 20)) expect(blocked.failed(key, 't/0')).toBe(key === 'PO-0' ? 2 : 0);
  jest.advanceTimersByTime(199);
  expect(blocked.waiting()).toHaveLength(50);
  jest.advanceTimersByTime(201);
  expect(blocked.waiting()).toHaveLength(30);
});

it('BlockedKeys retries other keys when the chosen ones have no rows', () => {
  for (const key of ['A', 'B']) blocked.failed(key, 't/0');
  jest.advanceTimersByTime(200);
  expect(blocked.waiting()).toEqual([]);
  blocked.blockIfFailing('C', () => ['t/0']);
  jest.advanceTimersByTime(1_999);
  expect(blocked.waiting()).toEqual(['C']);
  jest.advanceTimersByTime(1);
  expect(blocked.waiting()).toEqual([]);
});

it('BlockedKeys blocks the keys of a partition while its acknowledgement is awaited', () => {
  blocked.ackPending('t/0');
  expect(blocked.blockIfFailing('A', () => ['t/0'])).toBe(true);
  jest.advanceTimersByTime(3_600_000);
  expect(blocked.waiting()).toEqual(['A']);
  expect(blocked.failed('B', 't/0')).toBe(1);
  jest.advanceTimersByTime(2_000);
  expect(blocked.waiting()).toEqual([]);
});

it('BlockedKeys tries some keys of a partition when no acknowledgement is awaited any more', () => {
  blocked.ackPending('t/0');
  blocked.blockIfFailing('A', () => ['t/0']);
  blocked.ackAbandoned('t/0');
  expect(blocked.waiting()).toEqual([]);
  blocked.failed('A', 't/0');
  blocked.ackAbandoned('t/0');
  expect(blocked.waiting()).toEqual(['A']);
});
