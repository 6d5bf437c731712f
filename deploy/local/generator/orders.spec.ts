import { expect, it } from '@jest/globals';
import { PurchaseOrderUpserted } from '@po/contracts';
import { type Assortment, orderOf } from './orders.js';

const ASSORTMENT: Assortment = { orders: 2_000, lines: 50, vendors: 500, seed: 1, today: '2026-11-22' };
const indexes = Array.from({ length: ASSORTMENT.orders }, (_, index) => index);
const orders = indexes.map((index) => orderOf(ASSORTMENT, index));

it('the generator creates valid inventory messages with unique order numbers', () => {
  for (const order of orders.slice(0, 100)) expect(PurchaseOrderUpserted.safeParse(order).error).toBeUndefined();
  expect(new Set(orders.map(({ poNumber }) => poNumber)).size).toBe(orders.length);
});

it('the generator creates the same orders for the same seed, and different ones for another seed', () => {
  expect(orderOf(ASSORTMENT, 7)).toEqual(orders[7]);
  expect(orderOf({ ...ASSORTMENT, seed: 2 }, 7)).not.toEqual(orders[7]);
});

it('the generator gives orders the requested number of lines on average', () => {
  const average = orders.reduce((sum, { lines }) => sum + lines.length, 0) / orders.length;
  expect(Math.round(average)).toBe(50);
  expect(orderOf({ ...ASSORTMENT, lines: 3_000 }, 1).lines.length).toBeGreaterThanOrEqual(1_500);
});

it('the generator gives one vendor a tenth of the orders, and most other vendors a few', () => {
  const shares = Map.groupBy(orders, ({ vendor }) => vendor.code);
  const largest = Math.max(...[...shares.values()].map(({ length }) => length));
  expect(largest).toBe(shares.get('V0001')?.length);
  expect(largest).toBeGreaterThan(160);
  expect(largest).toBeLessThan(240);
  expect(shares.size).toBeGreaterThan(400);
});

it('the generator dates orders from two years ago to today, in the order of their numbers', () => {
  const dates = orders.map(({ poDate }) => poDate);
  expect(dates).toEqual(dates.toSorted());
  expect([dates[0], dates.at(-1)]).toEqual(['2024-12-02', '2026-11-22']);
});
