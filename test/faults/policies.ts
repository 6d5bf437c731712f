import type { Tolerances } from '@po/contracts';

const POLICY: Tolerances = {
  enabled: true,
  maxDaysEarlier: 0,
  maxDaysLater: 0,
  // A reply to a row is five digits, or more: this approves some of them.
  maxQtyIncreasePercent: 9_999.99,
  maxQtyDecreasePercent: 100,
  maxPriceIncreasePercent: 0,
  maxPriceDecreasePercent: 0,
  allowFactoryChange: false,
  maxAmount: [],
};

/** What the vendors' submissions are approved by while anything breaks; of the other vendor none is. Nobody changes them. */
export const POLICIES: Readonly<Record<string, Tolerances>> = {
  ACME: POLICY,
  BOLT: { ...POLICY, maxQtyIncreasePercent: 0 },
};
