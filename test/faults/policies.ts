import type { Tolerances } from '@po/contracts';
import { NO_DIFFERENCE } from '@po/testing/tolerances';

// Quantity replies have five or more digits, so this policy approves some of them.
const POLICY: Tolerances = { ...NO_DIFFERENCE, maxQtyIncreasePercent: 9_999.99, maxQtyDecreasePercent: 100 };

/** Approval policies of the fault tests by vendor code; they never change. The third vendor has none. */
export const POLICIES: Readonly<Record<string, Tolerances>> = {
  ACME: POLICY,
  BOLT: { ...POLICY, maxQtyIncreasePercent: 0 },
};
