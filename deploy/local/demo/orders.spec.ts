import { describe, expect, it } from '@jest/globals';
import { PurchaseOrderUpserted } from '@po/contracts';
import { demoOrders, inDays } from './orders.js';
import { PLANS } from './plans.js';
import { DEMO_USERS } from './users.js';

const orders = demoOrders(PLANS);

describe('the demo orders', () => {
  it('are valid messages of the inventory system', () => {
    for (const { snapshot } of orders) {
      expect([snapshot.poNumber, PurchaseOrderUpserted.safeParse(snapshot).error?.issues]).toEqual([
        snapshot.poNumber,
        undefined,
      ]);
    }
    expect(new Set(orders.map(({ snapshot }) => snapshot.poNumber)).size).toBe(24);
  });

  it('belong to the demo buyers and three vendors, with letter and numeric sizes', () => {
    const buyers = new Set<string>([DEMO_USERS.buyer.email, DEMO_USERS.buyer2.email]);
    expect(new Set(orders.map(({ snapshot }) => snapshot.buyer?.email ?? ''))).toEqual(buyers);
    expect(new Set(orders.map(({ snapshot }) => snapshot.vendor.code))).toEqual(new Set(['ACME', 'BOLT', 'CRANE']));
    const sizes = new Set(orders.flatMap(({ snapshot }) => snapshot.lines.map(({ size }) => size)));
    for (const size of ['S', 'XXL', '32', '4T', 'OS']) expect(sizes).toContain(size);
  });

  it('have only dates after the order date, including proposed ones', () => {
    const early = orders.filter(({ snapshot, steps }) => {
      const proposed = steps.flatMap((step) => ('reply' in step ? (step.reply.xfdDays ?? []) : []));
      return [snapshot.xfd, ...proposed.map(inDays)].some((date) => date <= snapshot.poDate);
    });
    expect(early).toEqual([]);
  });
});
