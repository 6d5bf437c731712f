import { GROUPS, HEADERS, INVENTORY_TYPES, type InventoryType, TOPICS, USER_EVENTS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import type { z } from 'zod';

type InventoryRecord = z.infer<(typeof INVENTORY_TYPES)[InventoryType]>;

/**
 * Concurrent requests per connection of a pool; requests without a connection wait in the pool. A consumer pauses when more than a few
 * times this number are queued, and resuming costs up to one fetch wait: too small a number turns a burst into pauses.
 */
const QUERIES_PER_CONNECTION = 8;
const WRITES_PER_CONNECTION = 4;

/** Waiting orders are stored together: enough for the transactions in progress and the next ones. */
const ORDER_CONCURRENCY = 200;
/** Each user is one statement. A new consumer group reads all known users, and must leave connections for requests. */
const USER_CONCURRENCY = 2;

/** The Kafka subscriptions of this service. Queries and writes have separate consumers, so that a slow query does not delay a write. */
export function subscriptions(poolSize: number): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  return {
    rpc: [
      { group: GROUPS.commands, topic: TOPICS.commands, concurrency: WRITES_PER_CONNECTION * poolSize },
      { group: GROUPS.queries, topic: TOPICS.queries, concurrency: QUERIES_PER_CONNECTION * poolSize },
    ],
    events: [
      {
        group: GROUPS.inventory,
        topics: [TOPICS.inventory],
        concurrency: ORDER_CONCURRENCY,
        typeHeader: HEADERS.inventoryType,
        schemas: INVENTORY_TYPES,
        checkKey: ({ poNumber }: InventoryRecord, key) =>
          key === poNumber ? null : `the key is not the poNumber ${poNumber} of the value`,
      },
      {
        group: GROUPS.directory,
        topics: [TOPICS.users],
        concurrency: USER_CONCURRENCY,
        typeHeader: HEADERS.cloudEventType,
        schemas: USER_EVENTS,
      },
    ],
  };
}
