import type { OrderDetail, OrderSummary } from '../../api/schemas.js';

type Terms = Pick<
  OrderSummary,
  'hasPendingChanges' | 'xfDate' | 'originalXfd' | 'amount' | 'originalAmount' | 'totalQty' | 'originalTotalQty'
> &
  Partial<Pick<OrderDetail, 'factory' | 'originalFactory'>>;

/**
 * Whether submitting the order accepts exactly what the inventory system ordered: the vendor has no pending edits, and the agreed values
 * equal the originals. A summary has dates and sums, but no factory.
 */
export const isAsOrdered = (order: Terms): boolean =>
  !order.hasPendingChanges &&
  order.xfDate === order.originalXfd &&
  order.amount === order.originalAmount &&
  order.totalQty === order.originalTotalQty &&
  order.factory === order.originalFactory;
