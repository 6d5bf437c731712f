import { describe, expect, it } from '@jest/globals';
import { backOffMs, retry } from './back-off.js';

const failing = (times: number) => {
  let left = times;
  return () => ((left -= 1) >= 0 ? Promise.reject(new Error(`${left} left`)) : Promise.resolve());
};
const backOff = { initialMs: 1, maxMs: 2 };

describe('a back-off pause', () => {
  it.each([
    [1, 100],
    [2, 200],
    [4, 800],
    [5, 1_000],
    [5_000, 1_000],
  ])('after %i failures in a row is random, from half to all of %i ms', (failures, longest) => {
    const pauses = Array.from({ length: 200 }, () => backOffMs(failures, { initialMs: 100, maxMs: 1_000 }));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(new Set(pauses).size).toBeGreaterThan(100);
  });
});

describe('retrying', () => {
  it('ends with the first success and reports each failure with its number', async () => {
    const seen: string[] = [];
    const onError = (error: unknown, failures: number) => void seen.push(`${failures}: ${(error as Error).message}`);
    await expect(retry(failing(2), { ...backOff, stopped: () => false, onError })).resolves.toBe(true);
    expect(seen).toEqual(['1: 1 left', '2: 0 left']);
  });

  it('ends before the next attempt once it is stopped', async () => {
    let tries = 0;
    const attempt = () => {
      tries += 1;
      return Promise.reject(new Error('no'));
    };
    await expect(retry(attempt, { ...backOff, stopped: () => tries === 3 })).resolves.toBe(false);
    expect(tries).toBe(3);
    await expect(retry(attempt, { ...backOff, stopped: () => true })).resolves.toBe(false);
    expect(tries).toBe(3);
  });

  it('ends with an error that the failure callback throws', async () => {
    const onError = (error: unknown) => {
      throw error;
    };
    await expect(retry(failing(9), { ...backOff, stopped: () => false, onError })).rejects.toThrow('8 left');
  });
});
