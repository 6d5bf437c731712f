import { EVENT_TYPES, GROUPS, HEADERS, TOPICS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import { OrderState, misplaced } from './projection/order-state.js';

/** Most requests take one round trip to Redis, but during an outage each waits for the order service. */
const REQUEST_CONCURRENCY = 128;
const EVENT_CONCURRENCY = 32;

/** Schemas of the events that this service handles, by type. */
export const EVENTS = { [EVENT_TYPES.stateChanged]: OrderState };

/** Kafka subscriptions of this service. */
export function subscriptions(): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  return {
    rpc: [{ group: GROUPS.dashboardRpc, topic: TOPICS.dashboardRpc, concurrency: REQUEST_CONCURRENCY }],
    events: [
      {
        group: GROUPS.dashboardEvents,
        topics: [TOPICS.state],
        concurrency: EVENT_CONCURRENCY,
        typeHeader: HEADERS.cloudEventType,
        schemas: EVENTS,
        checkKey: misplaced,
      },
    ],
  };
}
