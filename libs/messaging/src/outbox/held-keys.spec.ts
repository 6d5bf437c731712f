import { expect, it, jest } from '@jest/globals';
import { HeldKeys } from './held-keys.js';

it('holds the keys of a partition that failed, for longer after each failure, until it works', () => {
  jest.useFakeTimers();
  const held = new HeldKeys();
  expect(held.failed('A', 't/0')).toBe(1);
  expect(held.failed('B', 't/0')).toBe(0);
  expect([held.holds('C', ['t/1', 't/0']), held.holds('D', ['t/1'])]).toEqual([true, false]);
  expect(held.list()).toEqual(['A', 'B', 'C']);
  jest.advanceTimersByTime(200);
  expect(held.list()).toEqual([]);
  expect(held.failed('A', 't/0')).toBe(2);
  jest.advanceTimersByTime(199);
  expect(held.list()).toEqual(['A']);
  held.works('t/0');
  expect(held.list()).toEqual([]);
  jest.useRealTimers();
});

it('holds the keys of a partition whose answer is awaited, however long that takes', () => {
  jest.useFakeTimers();
  const held = new HeldKeys();
  held.awaits('t/0');
  expect(held.holds('A', ['t/0'])).toBe(true);
  jest.advanceTimersByTime(3_600_000);
  expect(held.list()).toEqual(['A']);
  expect(held.failed('B', 't/0')).toBe(1);
  jest.advanceTimersByTime(2_000);
  expect(held.list()).toEqual([]);
  jest.useRealTimers();
});
