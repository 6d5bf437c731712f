import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
}

interface RequestQueueClass {
  prototype: { scheduleCheckPendingRequests?: (this: RequestQueue) => void };
}

const PATCHED = Symbol.for('po.kafkajs.poll-loop-patched');

// KafkaJS re-arms a timer per connection for ever: 3.7 % of a core for four idle producers, and on Node 24 a
// TimeoutNegativeWarning a second. Arming it only while something can need it changes nothing else.
/** Stops KafkaJS's idle polling. Throws when KafkaJS no longer has the method this replaces. */
export function patchPollLoop(): void {
  const RequestQueue = createRequire(import.meta.url)(
    'kafkajs/src/network/requestQueue/index.js',
  ) as RequestQueueClass & Record<symbol, boolean>;
  if (RequestQueue[PATCHED]) return;
  const arm = RequestQueue.prototype.scheduleCheckPendingRequests;
  if (typeof arm !== 'function') throw new Error('KafkaJS changed: RequestQueue.scheduleCheckPendingRequests is gone');
  RequestQueue.prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
    arm.call(this);
  };
  RequestQueue[PATCHED] = true;
}
