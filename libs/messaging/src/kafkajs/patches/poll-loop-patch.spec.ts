import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { kafkaJsModule } from './patch-kafkajs.js';
import { patchPollLoop } from './poll-loop-patch.js';

interface Queue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

function openQueue(): Queue {
  patchPollLoop();
  patchPollLoop();
  const RequestQueue = kafkaJsModule<new (options: object) => Queue>('network/requestQueue/index');
  return new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 6_000,
    enforceRequestTimeout: false,
    clientId: 'c',
    broker: 'b',
    logger: { debug: () => undefined },
    isConnected: () => true,
  });
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

// Fails if KafkaJS changes the internal fields and the method that the patch depends on.
it('the request queue arms its timer only while requests are pending or throttled', () => {
  const queue = openQueue();
  expect(queue.pending).toEqual([]);
  expect(queue.throttledUntil).toBe(-1);

  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();

  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();

  queue.pending.length = 0;
  queue.throttledUntil = Date.now() + 60_000;
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();
});
