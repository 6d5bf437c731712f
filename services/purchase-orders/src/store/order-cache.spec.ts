import { expect, it } from '@jest/globals';
import { exampleLine } from '../fixtures/orders-database.js';
import { isCurrent, orderCache } from './load-order.js';

const stamp = {
  version: 1,
  sourceRevision: 1,
  updatedAt: '2026-10-01T10:00:00.000Z',
  lastSyncedAt: '2026-10-01T10:00:00.000Z',
};
const cachedLines = (count: number) => ({
  stamp,
  lines: Array.from({ length: count }, (_, position) =>
    exampleLine('PO-1', position, ['C', 'S', 'NVY', `${position}`]),
  ),
});

it('the cache removes the least recently used order above 20,000 lines', () => {
  const cache = orderCache();
  for (const poNumber of ['A', 'B', 'C']) cache.set(poNumber, cachedLines(6_000));
  cache.get('A');
  cache.set('D', cachedLines(6_001));
  expect(['A', 'B', 'C', 'D'].filter((poNumber) => cache.has(poNumber))).toEqual(['A', 'C', 'D']);
});

it.each([
  { version: 2 },
  { sourceRevision: 2 },
  { updatedAt: '2026-10-01T10:00:00.001Z' },
  { lastSyncedAt: '2026-10-01T10:00:00.001Z' },
])('cached lines are not current for a row with %j', (change) => {
  expect(isCurrent(cachedLines(1), stamp)).toBe(true);
  expect(isCurrent(cachedLines(1), { ...stamp, ...change })).toBe(false);
});
