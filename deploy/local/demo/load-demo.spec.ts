import { expect, it } from '@jest/globals';
import { STATUS } from '@po/contracts';
import { isLoaded } from './load-demo.js';
import { demoOrders } from './orders.js';
import { PLANS } from './plans.js';

const orders = demoOrders(PLANS);
const finished = orders.map(({ snapshot: { poNumber }, steps, cancelled }) => ({
  poNumber,
  version: steps.length > 0 ? 2 : 1,
  statusId: cancelled === undefined ? STATUS.PENDING_APPROVAL : STATUS.CANCELLED,
}));

it('the demo is loaded only if every order exists and has had its first step and its cancellation', () => {
  expect(isLoaded(orders, finished)).toBe(true);
  expect(isLoaded(orders, finished.slice(1))).toBe(false);
  // An interrupted load.
  expect(
    isLoaded(
      orders,
      finished.map((order) => ({ ...order, version: 1 })),
    ),
  ).toBe(false);
  expect(
    isLoaded(
      orders,
      finished.map((order) => ({ ...order, statusId: STATUS.PENDING_APPROVAL })),
    ),
  ).toBe(false);
});
