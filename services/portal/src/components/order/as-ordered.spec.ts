import { describe, expect, it } from '@jest/globals';
import { isAsOrdered } from './as-ordered.js';

const SUMMARY = {
  hasPendingChanges: false,
  xfDate: '2027-03-01',
  originalXfd: '2027-03-01',
  amount: 812.5,
  originalAmount: 812.5,
  totalQty: 65,
  originalTotalQty: 65,
};
const DETAIL = { ...SUMMARY, factory: 'Ningbo 2', originalFactory: 'Ningbo 2' };

describe('an order is as ordered', () => {
  it('without a reply: in the list, on its page, and without a factory', () => {
    expect([SUMMARY, DETAIL, { ...SUMMARY, factory: null, originalFactory: null }].map(isAsOrdered)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    { hasPendingChanges: true },
    { xfDate: '2027-03-02' },
    { amount: 812.49 },
    { totalQty: 64 },
    { factory: 'Hefei 9' },
    { factory: null },
  ])('unless the vendor proposes, or both agreed on, something else: %j', (change) => {
    expect(isAsOrdered({ ...DETAIL, ...change })).toBe(false);
  });
});
