import { EVENT_TYPES, GROUPS, HEADERS, TOPICS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import { OrderState, misplaced } from './projection/order-state.js';

/** Most requests take one round trip to Redis, but in an outage each waits for the purchase-order service. */
const REQUESTS_AT_ONCE = 128;
const EVENTS_AT_ONCE = 32;

/** What this service takes from Kafka. */
export function subscriptions(): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  return {
    rpc: [{ group: GROUPS.dashboardRpc, topic: TOPICS.dashboardRpc, concurrency: REQUESTS_AT_ONCE }],
    events: [
      {
        group: GROUPS.dashboardEvents,
        topics: [TOPICS.state],
        concurrency: EVENTS_AT_ONCE,
        typeHeader: HEADERS.cloudEventType,
        schemas: { [EVENT_TYPES.stateChanged]: OrderState },
        checkKey: misplaced,
      },
    ],
  };
}
