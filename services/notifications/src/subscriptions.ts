import { EVENT_TYPES, GROUPS, HEADERS, TOPICS, USER_EVENTS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import { MAX_BATCH } from './fan-out/fan-out.service.js';
import { MessagePosted, ReminderDue, Transition } from './fan-out/events.js';

/** Schemas of the events that this service handles, by type. */
export const EVENTS = {
  [EVENT_TYPES.transitioned]: Transition,
  [EVENT_TYPES.messagePosted]: MessagePosted,
  [EVENT_TYPES.reminderDue]: ReminderDue,
  ...USER_EVENTS,
};

/** Kafka subscriptions of this service. Requests use one pool, events the other. */
export function subscriptions(poolSize: number): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  return {
    rpc: [{ group: GROUPS.notificationsRpc, topic: TOPICS.notificationsRpc, concurrency: poolSize }],
    events: [
      {
        group: GROUPS.notificationsEvents,
        topics: [TOPICS.transitions, TOPICS.messages, TOPICS.reminders, TOPICS.users],
        // Independent of the pool size: concurrent events use at most two connections.
        concurrency: MAX_BATCH,
        typeHeader: HEADERS.cloudEventType,
        schemas: EVENTS,
      },
    ],
  };
}
