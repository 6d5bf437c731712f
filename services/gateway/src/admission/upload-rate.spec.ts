import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LeasesRedis } from './lease-limiter.js';
import type { AdmissionLimits } from './limits.js';
import { UploadAdmission } from './upload-admission.js';

const WINDOW_MS = 10_000;

describe('the least rate of an upload', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** The windows in which it is told to be too slow, when so many bytes come in each. */
  const brokenAfter = (uploadMinBytesPerSecond: number, ...comeInWindows: number[]) => {
    const limits = { uploadMinBytesPerSecond, uploadRateWindowMs: WINDOW_MS } as AdmissionLimits;
    let received = 70_000;
    let windows = 0;
    const brokenIn: number[] = [];
    const end = new UploadAdmission({} as LeasesRedis, limits).watch(
      () => received,
      () => brokenIn.push(windows),
    );
    for (const bytes of comeInWindows) {
      windows += 1;
      received += bytes;
      jest.advanceTimersByTime(WINDOW_MS);
    }
    end();
    jest.advanceTimersByTime(10 * WINDOW_MS);
    return brokenIn;
  };

  it.each<[string, number, number[], number[]]>([
    ['as fast as it must be', 100, [1_000, 1_000], []],
    ['too slow from the beginning', 100, [999, 5_000], [1]],
    ['fast, then stalled, told once', 100, [1_000_000, 0, 0, 0], [2]],
    ['stalled where there is no least rate', 0, [0, 0], []],
    ['over before a window is', 100, [], []],
  ])('%s', (_what, rate, come, expected) => {
    expect(brokenAfter(rate, ...come)).toEqual(expected);
  });
});
