import type { Tolerances } from '../api/approval-policies.js';
import type { Fields } from '../order/conflict/three-way-merge.js';

const DAYS = ['maxDaysEarlier', 'maxDaysLater'] as const;
const PERCENTS = [
  'maxQtyIncreasePercent',
  'maxQtyDecreasePercent',
  'maxPriceIncreasePercent',
  'maxPriceDecreasePercent',
] as const;
type DaysField = (typeof DAYS)[number];
type PercentField = (typeof PERCENTS)[number];
export type NumberField = DaysField | PercentField;
export type Flag = 'enabled' | 'allowFactoryChange';
/** Fields of the form, each with its own value. All amounts together are one field. */
export type PolicyField = Flag | NumberField | 'maxAmount';

/** A row of the amounts as typed. */
export interface AmountRow {
  currency: string;
  amount: string;
}

export const isDays = (field: NumberField): field is DaysField => (DAYS as readonly string[]).includes(field);

/** Allows no differences: the administrator sets each tolerance. */
export const NEW_POLICY: Tolerances = {
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

/** Values of a policy as text, in the order of the form. */
export const fieldsOf = (policy: Tolerances): Fields<string> =>
  new Map<PolicyField, string>([
    ['enabled', String(policy.enabled)],
    ...DAYS.map((field) => [field, String(policy[field])] as const),
    ...PERCENTS.map((field) => [field, String(policy[field])] as const),
    ['allowFactoryChange', String(policy.allowFactoryChange)],
    ['maxAmount', amountsText(policy.maxAmount.map(({ currency, amount }) => ({ currency, amount: String(amount) })))],
  ]);

export const amountsText = (rows: readonly AmountRow[]): string => JSON.stringify(rows);

export const amountsOf = (text: string): AmountRow[] => JSON.parse(text) as AmountRow[];
