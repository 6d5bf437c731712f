import type { PurchaseOrderClient, components, operations } from '@po/client';
import type { Action } from './schemas.js';
import { onVersion } from './writes.js';

export type BatchItem = operations['executeTransitions']['requestBody']['content']['application/json']['items'][number];
export type BatchAnswer = components['schemas']['TransitionsResult'];

/** At most 100 orders; each has a result of its own. With the same `key` the same items have one effect. */
export const transitionMany = async (
  client: PurchaseOrderClient,
  { items, key }: { items: BatchItem[]; key: string },
): Promise<BatchAnswer> =>
  (await client.POST('/purchase-orders/transitions', { headers: { 'Idempotency-Key': key }, body: { items } })).data;

/** Moves an order on. With the same `key` the same request has one effect, however often it is sent. */
export const transition = async (
  client: PurchaseOrderClient,
  request: { poRef: string; version: number; action: Action; comment: string; key: string },
): Promise<components['schemas']['TransitionResult']> => {
  const { poRef, version, action, comment, key } = request;
  return (
    await client.POST('/purchase-orders/{poRef}/transition', {
      params: { path: { poRef } },
      headers: { ...onVersion(version), 'Idempotency-Key': key },
      body: { action, ...(comment !== '' && { comment }) },
    })
  ).data;
};
