import type { PurchaseOrderClient, components, operations } from '@po/client';

export type BatchItem = operations['executeTransitions']['requestBody']['content']['application/json']['items'][number];
export type BatchAnswer = components['schemas']['TransitionsResult'];

/** At most 100 orders; each has a result of its own. With the same `key` the same items have one effect. */
export const transitionMany = async (
  client: PurchaseOrderClient,
  { items, key }: { items: BatchItem[]; key: string },
): Promise<BatchAnswer> =>
  (await client.POST('/purchase-orders/transitions', { headers: { 'Idempotency-Key': key }, body: { items } })).data;
