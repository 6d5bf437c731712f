import { EVENT_TYPES, GROUPS, HEADERS, TOPICS, USER_EVENTS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import { QueuedNotification } from './queue/queued-notification.js';

const EVENT_CONCURRENCY = 64;

/** Schemas of the events that this service handles, by type. */
export const EVENTS = { [EVENT_TYPES.notificationCreated]: QueuedNotification, ...USER_EVENTS };

/** Kafka subscriptions of this service. */
export function subscriptions(poolSize: number): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  return {
    rpc: [{ group: GROUPS.mailRpc, topic: TOPICS.mailRpc, concurrency: poolSize }],
    events: [
      {
        group: GROUPS.mailEvents,
        topics: [TOPICS.notifications, TOPICS.users],
        // One change of an order is a record for each user, all under its key. A mail sorts its notifications itself.
        unordered: [TOPICS.notifications],
        concurrency: EVENT_CONCURRENCY,
        typeHeader: HEADERS.cloudEventType,
        schemas: EVENTS,
      },
    ],
  };
}
