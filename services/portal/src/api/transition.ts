import type { PurchaseOrderClient, components } from '@po/client';
import type { Action } from './schemas.js';
import { onVersion } from './writes.js';

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
