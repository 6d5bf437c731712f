import { EVENT_TYPES, GROUPS, HEADERS, TOPICS, UserDeleted, UserSeen } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import { MAX_BATCH } from './fan-out/fan-out.service.js';
import { MessagePosted, ReminderDue, Transition } from './fan-out/events.js';

/** What this service takes from Kafka; requests work on the one pool, events on the other. */
export function subscriptions(poolSize: number): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  return {
    rpc: [{ group: GROUPS.notificationsRpc, topic: TOPICS.notificationsRpc, concurrency: poolSize }],
    events: [
      {
        group: GROUPS.notificationsEvents,
        topics: [TOPICS.transitions, TOPICS.messages, TOPICS.reminders, TOPICS.users],
        // Not by the pool: however many events are handled side by side, they take two connections of it.
        concurrency: MAX_BATCH,
        typeHeader: HEADERS.cloudEventType,
        schemas: {
          [EVENT_TYPES.transitioned]: Transition,
          [EVENT_TYPES.messagePosted]: MessagePosted,
          [EVENT_TYPES.reminderDue]: ReminderDue,
          [EVENT_TYPES.userSeen]: UserSeen,
          [EVENT_TYPES.userDeleted]: UserDeleted,
        },
      },
    ],
  };
}
