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

describe('isAsOrdered', () => {
  it('is true for an order without a reply, as summary, as detail and without a factory', () => {
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
  ])('is false if the vendor proposed, or both sides agreed on, other terms: %j', (change) => {
    expect(isAsOrdered({ ...DETAIL, ...change })).toBe(false);
  });
});
