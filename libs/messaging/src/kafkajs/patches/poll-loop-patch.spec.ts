import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { kafkaJsModule } from './patch-kafkajs.js';
import { patchPollLoop } from './poll-loop-patch.js';

interface Queue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  inflight: Map<number, { sentAt: number; requestTimeout: number; timeoutRequest(): void }>;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

let connected = true;

function openQueue(): Queue {
  patchPollLoop();
  patchPollLoop();
  const RequestQueue = kafkaJsModule<new (options: object) => Queue>('network/requestQueue/index');
  return new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 6_000,
    enforceRequestTimeout: true,
    clientId: 'c',
    broker: 'b',
    logger: { debug: () => undefined },
    isConnected: () => connected,
  });
}

beforeEach(() => {
  connected = true;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

// These fail when KafkaJS changes under the patch: the fields it reads and the methods it replaces are KafkaJS's own.
it('arms the request queue timer only while something is pending or throttled', () => {
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

it('checks once a second for timed-out requests, until the connection is closed', () => {
  const queue = openQueue();
  expect(queue.inflight).toEqual(new Map());
  queue.scheduleRequestTimeoutCheck();
  const timedOut: string[] = [];
  const inFlight = (name: string, requestTimeout: number) => ({
    sentAt: Date.now(),
    requestTimeout,
    timeoutRequest: () => timedOut.push(name),
  });
  queue.inflight.set(1, inFlight('short', 6_000)).set(2, inFlight('long', 60_000));
  jest.advanceTimersByTime(6_000);
  expect(timedOut).toEqual([]);
  jest.advanceTimersByTime(1_000);
  expect(timedOut).toEqual(['short']);

  connected = false;
  jest.advanceTimersByTime(1_000);
  expect(jest.getTimerCount()).toBe(0);
});
