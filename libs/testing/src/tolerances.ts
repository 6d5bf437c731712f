import type { Tolerances } from '@po/contracts';

/** Tolerances of an approval policy that approves no difference at all. */
export const NO_DIFFERENCE: Tolerances = {
  enabled: true,
  maxDaysEarlier: 0,
  maxDaysLater: 0,
  maxQtyIncreasePercent: 0,
  maxQtyDecreasePercent: 0,
  maxPriceIncreasePercent: 0,
  maxPriceDecreasePercent: 0,
  allowFactoryChange: false,
  maxAmount: [],
};
