import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  enforceRequestTimeout: boolean;
  inflight: Map<number, { sentAt: number; requestTimeout: number; timeoutRequest(): void }>;
  requestTimeoutIntervalId: NodeJS.Timeout;
  isConnected(): boolean;
  destroy(): void;
}

interface RequestQueueClass {
  prototype: {
    scheduleCheckPendingRequests?: (this: RequestQueue) => void;
    scheduleRequestTimeoutCheck?: (this: RequestQueue) => void;
  };
}

const PATCHED = Symbol.for('po.kafkajs.poll-loop-patched');

/** Request timeouts are 6 s and longer. */
const LOOK_FOR_TIMEOUTS_EVERY_MS = 1_000;

// KafkaJS re-arms a timer per connection for ever: 3.7 % of a core for four idle producers, and on Node 24 a
// TimeoutNegativeWarning a second. Arming it only while something can need it changes nothing else. It also looks for requests that
// timed out ten times a second and connection, of which a service has about ten.
/** Stops KafkaJS's idle polling. Throws when KafkaJS no longer has the methods this replaces. */
export function patchPollLoop(): void {
  const RequestQueue = createRequire(import.meta.url)(
    'kafkajs/src/network/requestQueue/index.js',
  ) as RequestQueueClass & Record<symbol, boolean>;
  if (RequestQueue[PATCHED]) return;
  const { scheduleCheckPendingRequests: arm, scheduleRequestTimeoutCheck } = RequestQueue.prototype;
  if (typeof arm !== 'function') throw new Error('KafkaJS changed: RequestQueue.scheduleCheckPendingRequests is gone');
  if (typeof scheduleRequestTimeoutCheck !== 'function')
    throw new Error('KafkaJS changed: RequestQueue.scheduleRequestTimeoutCheck is gone');
  RequestQueue.prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
    arm.call(this);
  };
  RequestQueue.prototype.scheduleRequestTimeoutCheck = function () {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      for (const request of this.inflight.values()) {
        if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
      }
      if (!this.isConnected()) this.destroy();
    }, LOOK_FOR_TIMEOUTS_EVERY_MS);
  };
  RequestQueue[PATCHED] = true;
}
