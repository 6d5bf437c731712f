import type { PurchaseOrderClient, components, operations } from '@po/client';
import type { Action } from './schemas.js';
import { onVersion } from './writes.js';

export type BatchItem = operations['executeTransitions']['requestBody']['content']['application/json']['items'][number];
export type BatchAnswer = components['schemas']['TransitionsResult'];

/** Applies actions to at most 100 orders, each with its own result. Retries with the same `key` have one effect. */
export const transitionMany = async (
  client: PurchaseOrderClient,
  { items, key }: { items: BatchItem[]; key: string },
): Promise<BatchAnswer> =>
  (await client.POST('/purchase-orders/transitions', { headers: { 'Idempotency-Key': key }, body: { items } })).data;

/** Applies an action to one order. Retries with the same `key` have one effect. */
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
