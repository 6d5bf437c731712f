import {
  EVENT_TYPES,
  GROUPS,
  HEADERS,
  INVENTORY_TYPES,
  type InventoryType,
  TOPICS,
  UserDeleted,
  UserSeen,
} from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import type { z } from 'zod';

type InventoryRecord = z.infer<(typeof INVENTORY_TYPES)[InventoryType]>;

/**
 * Requests in hand for each connection of a pool; those without one wait for it in the pool. A consumer pauses when more than a few
 * times this are queued, and starting again costs it up to one fetch wait: too small a number turns a burst into pauses.
 */
const QUERIES_PER_CONNECTION = 8;
const WRITES_PER_CONNECTION = 4;

/** Those that wait together are stored together: enough for the transactions under way and the next. */
const ORDER_CONCURRENCY = 200;
/** Each is a statement; a new group reads all known users, and must leave connections to requests. */
const USER_CONCURRENCY = 2;

/** What this service takes from Kafka. Queries and writes have consumers of their own: a slow query must not hold a write. */
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
        schemas: { [EVENT_TYPES.userSeen]: UserSeen, [EVENT_TYPES.userDeleted]: UserDeleted },
      },
    ],
  };
}
