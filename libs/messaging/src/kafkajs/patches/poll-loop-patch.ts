import { original, patchKafkaJs } from './patch-kafkajs.js';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
}

interface RequestQueueClass {
  prototype: { scheduleCheckPendingRequests?: (this: RequestQueue) => void };
}

// KafkaJS re-arms a timer per connection for ever: 3.7 % of a core for four idle producers, and on Node 24 a
// TimeoutNegativeWarning a second. Arming it only while something can need it changes nothing else.
/** Stops KafkaJS's idle polling. Throws when KafkaJS no longer has the method this replaces. */
export function patchPollLoop(): void {
  patchKafkaJs<RequestQueueClass>('network/requestQueue/index', ({ prototype }) => {
    const arm = original(prototype.scheduleCheckPendingRequests, 'RequestQueue.scheduleCheckPendingRequests');
    prototype.scheduleCheckPendingRequests = function () {
      if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
      arm.call(this);
    };
  });
}
