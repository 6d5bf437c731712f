import { GROUPS, HEADERS, TOPICS, USER_EVENTS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import { MAX_BATCH } from './fan-out/fan-out.service.js';
import { ORDER_EVENTS } from './fan-out/events.js';

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
        schemas: { ...ORDER_EVENTS, ...USER_EVENTS },
      },
    ],
  };
}
