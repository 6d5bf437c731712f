import type { PurchaseOrderUpserted } from '@po/contracts';
import type { SourceOrder } from '../domain/order.js';
import { rowHashOf } from './row-hash.js';

/** The inventory system's order as the rules take it: each row with its hash. */
export function sourceOrderOf(snapshot: PurchaseOrderUpserted): SourceOrder {
  const { poNumber, lines } = snapshot;
  return { ...snapshot, lines: lines.map((line) => ({ ...line, rowHash: rowHashOf(poNumber, line) })) };
}
