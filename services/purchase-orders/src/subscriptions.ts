import { GROUPS, HEADERS, INVENTORY_TYPES, type InventoryType, TOPICS } from '@po/contracts';
import type { EventSubscription, RpcSubscription } from '@po/messaging';
import type { z } from 'zod';

type InventoryRecord = z.infer<(typeof INVENTORY_TYPES)[InventoryType]>;

/** What this service takes from Kafka. Queries and writes have consumers of their own: a slow query must not hold a write. */
export function subscriptions(poolSize: number): { rpc: RpcSubscription[]; events: EventSubscription[] } {
  const half = Math.ceil(poolSize / 2);
  return {
    rpc: [
      { group: GROUPS.commands, topic: TOPICS.commands, concurrency: half },
      { group: GROUPS.queries, topic: TOPICS.queries, concurrency: poolSize },
    ],
    events: [
      {
        group: GROUPS.inventory,
        topics: [TOPICS.inventory],
        concurrency: half,
        typeHeader: HEADERS.inventoryType,
        schemas: INVENTORY_TYPES,
        checkKey: ({ poNumber }: InventoryRecord, key) =>
          key === poNumber ? null : `the key is not the poNumber ${poNumber} of the value`,
      },
    ],
  };
}
