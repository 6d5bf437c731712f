import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LeasesRedis } from './lease-limiter.js';
import type { AdmissionLimits } from './limits.js';
import { UploadAdmission } from './upload-admission.js';

const WINDOW_MS = 10_000;

describe('the minimum rate of an upload', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Numbers of the windows in which the upload is reported as too slow. `comeInWindows` is the bytes received in each. */
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
    ['accepts an upload at exactly the minimum rate', 100, [1_000, 1_000], []],
    ['aborts an upload that is too slow from the start', 100, [999, 5_000], [1]],
    ['aborts an upload that stalls, and only once', 100, [1_000_000, 0, 0, 0], [2]],
    ['accepts a stalled upload if the rate is 0', 0, [0, 0], []],
    ['does not apply to an upload that ends within its first window', 100, [], []],
  ])('%s', (_what, rate, come, expected) => {
    expect(brokenAfter(rate, ...come)).toEqual(expected);
  });
});
