import type { Tolerances } from '@po/contracts';
import { NO_DIFFERENCE } from '@po/testing/tolerances';

// A reply to a row is five digits, or more: this approves some of them.
const POLICY: Tolerances = { ...NO_DIFFERENCE, maxQtyIncreasePercent: 9_999.99, maxQtyDecreasePercent: 100 };

/** What the vendors' submissions are approved by while anything breaks; of the other vendor none is. Nobody changes them. */
export const POLICIES: Readonly<Record<string, Tolerances>> = {
  ACME: POLICY,
  BOLT: { ...POLICY, maxQtyIncreasePercent: 0 },
};
