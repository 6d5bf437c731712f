import type { OrderDetail, OrderSummary } from '../../api/schemas.js';

type Terms = Pick<
  OrderSummary,
  'hasPendingChanges' | 'xfDate' | 'originalXfd' | 'amount' | 'originalAmount' | 'totalQty' | 'originalTotalQty'
> &
  Partial<Pick<OrderDetail, 'factory' | 'originalFactory'>>;

/**
 * Whether to submit an order accepts what the inventory system ordered: no edit of the vendor waits, and nothing that was agreed before
 * differs. Of that a summary has dates and sums, no factory.
 */
export const isAsOrdered = (order: Terms): boolean =>
  !order.hasPendingChanges &&
  order.xfDate === order.originalXfd &&
  order.amount === order.originalAmount &&
  order.totalQty === order.originalTotalQty &&
  order.factory === order.originalFactory;
