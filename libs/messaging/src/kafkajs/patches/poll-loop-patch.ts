import { original, patchKafkaJs } from './patch-kafkajs.js';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
}

interface RequestQueueClass {
  prototype: { scheduleCheckPendingRequests?: (this: RequestQueue) => void };
}

// KafkaJS re-arms a timer per connection forever: 3.7 % of a core for four idle producers, and one TimeoutNegativeWarning a second on
// Node 24. Arming it only while it can be needed changes nothing else.
/** Stops KafkaJS's idle polling. Throws if KafkaJS no longer has the replaced method. */
export function patchPollLoop(): void {
  patchKafkaJs<RequestQueueClass>('network/requestQueue/index', ({ prototype }) => {
    const arm = original(prototype.scheduleCheckPendingRequests, 'RequestQueue.scheduleCheckPendingRequests');
    prototype.scheduleCheckPendingRequests = function () {
      if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
      arm.call(this);
    };
  });
}
