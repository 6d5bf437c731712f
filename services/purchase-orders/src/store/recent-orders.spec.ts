import { expect, it } from '@jest/globals';
import { exampleCell } from '../fixtures/orders-database.js';
import { RecentOrders, areCurrent } from './load-order.js';
import type { ActivityRow } from './stored-order.js';

const stamp = {
  version: 1,
  sourceRevision: 1,
  updatedAt: '2026-10-01T10:00:00.000Z',
  lastSyncedAt: '2026-10-01T10:00:00.000Z',
};
const parts = (count: number, changes = 0) => ({
  stamp,
  cells: Array.from({ length: count }, (_, position) =>
    exampleCell('PO-1', position, ['C', 'S', 'NVY', `${position}`]),
  ),
  recentActivity: Array.from({ length: changes }, () => ({}) as ActivityRow),
});

it('forgets the orders that were used longest ago when it is full', () => {
  const recent = new RecentOrders(10);
  for (const poNumber of ['A', 'B', 'C']) recent.keep(poNumber, parts(2));
  recent.keep('A', parts(2));
  recent.keep('D', parts(2));
  expect(['A', 'B', 'C', 'D'].filter((poNumber) => recent.find(poNumber))).toEqual(['A', 'C', 'D']);
});

it('keeps an order once, whatever it was before', () => {
  const recent = new RecentOrders(10);
  for (let count = 0; count < 5; count += 1) recent.keep('A', parts(8));
  recent.keep('B', parts(0));
  expect(recent.find('A')?.cells).toHaveLength(8);
  expect(recent.find('B')?.cells).toHaveLength(0);
});

it('counts status changes, of which an order of one cell may have many', () => {
  const recent = new RecentOrders(50);
  for (const poNumber of ['A', 'B', 'C']) recent.keep(poNumber, parts(1, 20));
  expect(['A', 'B', 'C'].filter((poNumber) => recent.find(poNumber))).toEqual(['B', 'C']);
});

it('does not keep an order that alone is more than all may be', () => {
  const recent = new RecentOrders(10);
  recent.keep('A', parts(20));
  recent.keep('B', parts(5));
  expect(recent.find('A')).toBeNull();
  expect(recent.find('B')?.cells).toHaveLength(5);
});

it.each([
  { version: 2 },
  { sourceRevision: 2 },
  { updatedAt: '2026-10-01T10:00:00.001Z' },
  { lastSyncedAt: '2026-10-01T10:00:00.001Z' },
])('is not current for a row with %j', (change) => {
  expect(areCurrent(parts(1), stamp)).toBe(true);
  expect(areCurrent(parts(1), { ...stamp, ...change })).toBe(false);
});
