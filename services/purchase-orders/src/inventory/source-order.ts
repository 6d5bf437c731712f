import { hash } from 'node:crypto';
import type { PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import type { SourceOrder } from '../domain/order.js';
import { rowHashOf } from './row-hash.js';

/** The inventory system's order in the form of the domain rules: each row has its hash. */
export function sourceOrderOf(snapshot: PurchaseOrderUpserted): SourceOrder {
  const { poNumber, lines } = snapshot;
  return { ...snapshot, lines: lines.map((line) => ({ ...line, rowHash: rowHashOf(poNumber, line) })) };
}

/** A hash of a message without its revision. It is stable, because the schema fixes the order of the fields. */
export function contentHashOf({
  sourceRevision: _revision,
  ...content
}: PurchaseOrderUpserted | PurchaseOrderCancelled): string {
  return hash('sha256', JSON.stringify(content), 'base64url');
}

/** Digest of an order's last message. The same content with a newer revision changes nothing. */
export const digestOf = (sourceRevision: number, contentHash: string): string => `${sourceRevision}/${contentHash}`;
