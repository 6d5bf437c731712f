import type { ApprovalPolicy, Tolerances } from '../api/approval-policies.js';

export const TOLERANCES: Tolerances = {
  enabled: true,
  maxDaysEarlier: 3,
  maxDaysLater: 7,
  maxQtyIncreasePercent: 5,
  maxQtyDecreasePercent: 2.5,
  maxPriceIncreasePercent: 0,
  maxPriceDecreasePercent: 10,
  allowFactoryChange: false,
  maxAmount: [{ currency: 'USD', amount: 10_000 }],
};

export const policy = (changes: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
  ...TOLERANCES,
  vendorCode: 'ACME',
  version: 3,
  updatedBy: { userId: 'u-9', name: 'Sam Okafor' },
  updatedAt: '2027-03-01T08:00:00.000Z',
  ...changes,
});
