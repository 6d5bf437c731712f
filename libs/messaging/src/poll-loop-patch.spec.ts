import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';
import { patchPollLoop } from './poll-loop-patch.js';

interface Queue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

// Fails when KafkaJS changes under the patch: the fields it reads and the method it replaces are KafkaJS's own.
it('arms the request queue timer only while something is pending or throttled', () => {
  patchPollLoop();
  patchPollLoop();
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as new (
    options: object,
  ) => Queue;
  const logger = { debug: () => undefined };
  const queue = new RequestQueue({ maxInFlightRequests: 1, requestTimeout: 1000, clientId: 'c', broker: 'b', logger });
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
