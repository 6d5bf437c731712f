import { describe, expect, it } from '@jest/globals';
import { SampleOrder } from '../fixtures/order-states.js';
import { applyArguments } from './counters.js';
import { keysUnder } from './keys.js';
import { AppliedCounts } from './applied-counts.js';

describe('the script arguments of an order', () => {
  const position = { partition: 'po.state.v1/0', offset: '7' };
  const sent = (order: Parameters<typeof applyArguments>[4], floor?: number) =>
    applyArguments(keysUnder(), '', position, new AppliedCounts(), order, floor);
  const order = new SampleOrder('PO-1', 'ACME');
  for (const instant of [10, 20, 30]) order.moveTo(200, instant);
  const state = order.state();

  it('include every activity while the feeds are unknown', () => {
    const values = sent(state);
    for (const { id } of state.recentActivity) expect(values).toContain(id);
  });

  it("omit activities that are older than all in the vendor's full feed", () => {
    const values = sent(state, 20);
    expect(state.recentActivity.map(({ id }) => values.includes(id))).toEqual([true, true, false]);
  });
});
