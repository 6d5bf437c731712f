import { expect, it } from '@jest/globals';
import { exampleLine } from '../fixtures/orders-database.js';
import { areCurrent, recentOrders } from './load-order.js';

const stamp = {
  version: 1,
  sourceRevision: 1,
  updatedAt: '2026-10-01T10:00:00.000Z',
  lastSyncedAt: '2026-10-01T10:00:00.000Z',
};
const parts = (count: number) => ({
  stamp,
  lines: Array.from({ length: count }, (_, position) =>
    exampleLine('PO-1', position, ['C', 'S', 'NVY', `${position}`]),
  ),
});

it('the cache removes the least recently used order above 20,000 lines', () => {
  const recent = recentOrders();
  for (const poNumber of ['A', 'B', 'C']) recent.set(poNumber, parts(6_000));
  recent.get('A');
  recent.set('D', parts(6_001));
  expect(['A', 'B', 'C', 'D'].filter((poNumber) => recent.has(poNumber))).toEqual(['A', 'C', 'D']);
});

it.each([
  { version: 2 },
  { sourceRevision: 2 },
  { updatedAt: '2026-10-01T10:00:00.001Z' },
  { lastSyncedAt: '2026-10-01T10:00:00.001Z' },
])('cached parts are not current for a row with %j', (change) => {
  expect(areCurrent(parts(1), stamp)).toBe(true);
  expect(areCurrent(parts(1), { ...stamp, ...change })).toBe(false);
});
