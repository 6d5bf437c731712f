import { hash } from 'node:crypto';
import type { PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import type { SourceOrder } from '../domain/order.js';
import { rowHashOf } from './row-hash.js';

/** The inventory system's order as the rules take it: each row with its hash. */
export function sourceOrderOf(snapshot: PurchaseOrderUpserted): SourceOrder {
  const { poNumber, lines } = snapshot;
  return { ...snapshot, lines: lines.map((line) => ({ ...line, rowHash: rowHashOf(poNumber, line) })) };
}

/** A hash of all that a message says but for its revision: the schema has put its fields into one order. */
export function contentHashOf({
  sourceRevision: _revision,
  ...content
}: PurchaseOrderUpserted | PurchaseOrderCancelled): string {
  return hash('sha256', JSON.stringify(content), 'base64url');
}

/** What an order keeps of the last message of it: the same content with a newer revision says nothing new. */
export const digestOf = (sourceRevision: number, contentHash: string): string => `${sourceRevision}/${contentHash}`;
