import { expect, it } from '@jest/globals';
import { orderOf } from '#local/generator/orders.js';
import { LARGE_CELLS, LARGE_ORDERS, largeOrderOf } from './large-orders.js';

it('stand beside the others, with exactly as many different cells, all of the largest vendor', () => {
  const assortment = { orders: 20, cells: 50, vendors: 9, seed: 3, today: '2026-11-22' };
  const others = Array.from({ length: assortment.orders }, (_, index) => orderOf(assortment, index).poNumber);
  const large = Array.from({ length: LARGE_ORDERS }, (_, index) => largeOrderOf(assortment, index));
  expect(new Set([...others, ...large.map(({ poNumber }) => poNumber)]).size).toBe(others.length + LARGE_ORDERS);
  for (const { vendor, lines, poDate } of large) {
    expect(vendor.code).toBe('V0001');
    expect(new Set(lines.map(({ code, style, color, size }) => [code, style, color, size].join())).size).toBe(
      LARGE_CELLS,
    );
    expect(poDate <= assortment.today).toBe(true);
  }
});
