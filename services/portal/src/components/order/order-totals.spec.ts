import { describe, expect, it } from '@jest/globals';
import { totalsOf } from './order-totals.js';

describe('the totals of orders', () => {
  it('are exact sums, one for each currency', () => {
    const orders = [
      { totalQty: 5, amount: 0.1, currency: 'USD' },
      { totalQty: 7, amount: 0.2, currency: 'USD' },
      { totalQty: 1, amount: 8, currency: 'EUR' },
    ];
    expect(totalsOf(orders)).toEqual({
      orders: 3,
      qty: 13,
      amounts: [
        ['EUR', 8],
        ['USD', 0.3],
      ],
    });
    expect(totalsOf([])).toEqual({ orders: 0, qty: 0, amounts: [] });
  });
});
