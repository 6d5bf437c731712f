import { expect, it } from '@jest/globals';
import { exampleLine, exampleOrder } from '../fixtures/orders-database.js';
import { reminderSettings } from '../fixtures/reminders.js';
import { creationOf } from '../orders/order-change.js';
import { OrderStore } from './load-order.js';
import type { OrderRow } from './order-rows.js';

const now = new Date('2026-10-01T10:00:00.000Z');
const created = (poNumber: string, count: number) => {
  const lineOf = (_: unknown, position: number) => exampleLine(poNumber, position, ['C', 'S', 'NVY', `${position}`]);
  const after = exampleOrder(poNumber, { lines: Array.from({ length: count }, lineOf) });
  const synced = { vendorName: 'Acme', digest: null };
  return creationOf(1, { after, entry: null, now, reminderSettings: reminderSettings(), synced });
};
const isCached = async (store: OrderStore, row: OrderRow): Promise<boolean> => {
  let isRead = false;
  await store.read(() => {
    isRead = true;
    return Promise.resolve([]);
  }, row);
  return !isRead;
};

it('the cache removes the least recently used order above 20,000 lines', async () => {
  const store = new OrderStore();
  const [a, b, c, d] = [created('A', 6_000), created('B', 6_000), created('C', 6_000), created('D', 6_001)];
  for (const { order } of [a, b, c]) store.remember(order);
  await isCached(store, a.row);
  store.remember(d.order);
  const cached: boolean[] = [];
  for (const { row } of [a, c, d, b]) cached.push(await isCached(store, row));
  expect(cached).toEqual([true, true, true, false]);
});

it.each([
  {},
  { version: 2 },
  { sourceRevision: '2' },
  { updatedAt: new Date(now.getTime() + 1) },
  { lastSyncedAt: new Date(now.getTime() + 1) },
])('cached lines are used only for a row with their stamp, not after a change of it: %j', async (change) => {
  const store = new OrderStore();
  const { order, row } = created('A', 1);
  store.remember(order);
  expect(await isCached(store, { ...row, ...change })).toBe(Object.keys(change).length === 0);
});

it('an order whose lines leave the cache while its row is being locked keeps them', async () => {
  const store = new OrderStore();
  const { order, row } = created('A', 1);
  store.remember(order);
  const locked = store.lock(() => Promise.resolve([row as never]), 'A', null);
  store.remember(created('B', 19_999).order);
  expect((await locked)?.lines).toBe(order.lines);
});
