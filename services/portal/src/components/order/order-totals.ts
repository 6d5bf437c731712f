import type { OrderSummary } from '../../api/schemas.js';

const CENTS = 100;

/** Totals of the orders. Amounts have two decimals and are summed in whole cents. */
export function totalsOf(orders: readonly Pick<OrderSummary, 'totalQty' | 'amount' | 'currency'>[]) {
  const cents = new Map<string, number>();
  for (const { currency, amount } of orders) {
    cents.set(currency, (cents.get(currency) ?? 0) + Math.round(amount * CENTS));
  }
  return {
    orders: orders.length,
    qty: orders.reduce((sum, { totalQty }) => sum + totalQty, 0),
    /** By currency, largest first: amounts in different currencies cannot be added. */
    amounts: [...cents].toSorted(([, a], [, b]) => b - a).map(([currency, sum]) => [currency, sum / CENTS] as const),
  };
}
