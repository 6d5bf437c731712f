import { jest } from '@jest/globals';

/**
 * From now on `performance.now()` moves only by `jest.advanceTimersByTime`, and every timer goes as ever: for code that reads how much time
 * is over, on a machine that may take any. It begins at 0, so before that code does, and ends by `jest.useRealTimers`.
 */
export function stopPerformance(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
    ],
  });
}
