import { original, patchKafkaJs } from './patch-kafkajs.js';

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

/** Request timeouts are 6 s and longer. */
const LOOK_FOR_TIMEOUTS_EVERY_MS = 1_000;

// KafkaJS re-arms a timer per connection for ever: 3.7 % of a core for four idle producers, and on Node 24 a
// TimeoutNegativeWarning a second. Arming it only while something can need it changes nothing else. It also looks for requests that
// timed out ten times a second and connection, of which a service has about ten.
/** Stops KafkaJS's idle polling. Throws when KafkaJS no longer has the methods this replaces. */
export function patchPollLoop(): void {
  patchKafkaJs<RequestQueueClass>('network/requestQueue/index', ({ prototype }) => {
    const arm = original(prototype.scheduleCheckPendingRequests, 'RequestQueue.scheduleCheckPendingRequests');
    original(prototype.scheduleRequestTimeoutCheck, 'RequestQueue.scheduleRequestTimeoutCheck');
    prototype.scheduleCheckPendingRequests = function () {
      if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
      arm.call(this);
    };
    prototype.scheduleRequestTimeoutCheck = function () {
      if (!this.enforceRequestTimeout) return;
      this.destroy();
      this.requestTimeoutIntervalId = setInterval(() => {
        for (const request of this.inflight.values()) {
          if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
        }
        if (!this.isConnected()) this.destroy();
      }, LOOK_FOR_TIMEOUTS_EVERY_MS);
    };
  });
}
