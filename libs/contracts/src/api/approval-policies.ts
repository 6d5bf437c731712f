import { z } from 'zod';
import { ACTOR_SIZES } from '../identity.js';
import { MAX_POLICY_AMOUNT, MAX_POLICY_CURRENCIES, MAX_POLICY_DAYS, MAX_POLICY_PERCENT } from '../limits.js';
import { distinctBy } from '../validation/distinct-by.js';
import { localizedMessage } from '../validation/localized-message.js';
import { Currency, Instant, text, trimmedLine } from '../validation/text.js';

/** Path segment of the policy for vendors without a policy of their own. */
export const DEFAULT_POLICY = 'default';

/** At most 2 decimals. */
const decimal = (max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .refine(
      (value) => Number(value.toFixed(2)) === value,
      localizedMessage('TOO_MANY_DECIMALS', 'must have at most 2 decimals', '最多 2 位小数'),
    );

const days = z.int().min(0).max(MAX_POLICY_DAYS);
const REPEATED = localizedMessage('DUPLICATE', 'must not repeat a currency', '币种不能重复');

const LIMIT = { currency: Currency, amount: decimal(MAX_POLICY_AMOUNT).describe('At most 2 decimals.') };

const TOLERANCES = {
  enabled: z.boolean().describe('A disabled policy approves nothing.'),
  maxDaysEarlier: days.describe('How many days earlier the ex-factory date may be.'),
  maxDaysLater: days.describe('How many days later the ex-factory date may be.'),
  maxQtyIncreasePercent: decimal(MAX_POLICY_PERCENT).describe(
    'Percentage of the quantity of each row, at most 2 decimals.',
  ),
  maxQtyDecreasePercent: decimal(MAX_POLICY_PERCENT).describe(
    'Percentage of the quantity of each row, at most 2 decimals.',
  ),
  maxPriceIncreasePercent: decimal(MAX_POLICY_PERCENT).describe(
    'Percentage of the price of each row, at most 2 decimals.',
  ),
  maxPriceDecreasePercent: decimal(MAX_POLICY_PERCENT).describe(
    'Percentage of the price of each row, at most 2 decimals.',
  ),
  allowFactoryChange: z.boolean(),
  maxAmount: z
    .array(z.object(LIMIT))
    .describe(
      'Maximum `amount` of an order, by currency. Empty: no limit. Otherwise, an order in a currency that is not listed is not approved.',
    ),
};

/** How far a submission may differ and still be approved immediately. */
export const Tolerances = z.object(TOLERANCES);
export type Tolerances = z.infer<typeof Tolerances>;

export const ApprovalPolicyRequest = z
  .strictObject({
    vendorCode: text(ACTOR_SIZES.vendorCode)
      .nullable()
      .optional()
      .describe(
        'If present, it must equal that of the path; null for the default policy. Required for a code like `Default`.',
      ),
    ...TOLERANCES,
    maxAmount: z
      .array(z.strictObject(LIMIT))
      .max(MAX_POLICY_CURRENCIES)
      .superRefine(distinctBy('currency', REPEATED))
      .describe(TOLERANCES.maxAmount.description ?? ''),
  })
  .meta({ id: 'ApprovalPolicyRequest', description: 'A complete approval policy.' });
export type ApprovalPolicyRequest = z.infer<typeof ApprovalPolicyRequest>;

const Author = z
  .object({ userId: z.string(), name: z.string().nullable() })
  .meta({ id: 'PolicyAuthor', description: 'The administrator who changed an approval policy.' });

export const ApprovalPolicy = z
  .object({
    vendorCode: z
      .string()
      .nullable()
      .describe('Null for the default policy, which applies to vendors without their own.'),
    ...TOLERANCES,
    version: z
      .int()
      .describe('Increases by one with every change, including a deletion; `"<version>"` is the entity tag.'),
    updatedBy: Author,
    updatedAt: Instant,
  })
  .meta({
    id: 'ApprovalPolicy',
    description:
      'How far a submission of a vendor may differ from what was ordered or agreed and still be approved immediately.',
  });
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

export const PolicyChange = z
  .object({
    version: z.int(),
    policy: Tolerances.extend({ vendorCode: ApprovalPolicy.shape.vendorCode })
      .nullable()
      .describe('The policy after this change; null if it was deleted.'),
    changedBy: Author,
    changedAt: Instant,
  })
  .meta({ id: 'PolicyChange', description: 'One change of an approval policy.' });
export type PolicyChange = z.infer<typeof PolicyChange>;

export const PolicyPreview = z
  .object({
    submissions: z.int().describe('The latest submissions to which the policy would have applied, at most 200.'),
    approved: z.int().describe('How many of these submissions it would have approved.'),
    recalled: z.int().describe('How many of the approved ones were then recalled or rejected.'),
  })
  .meta({ id: 'PolicyPreview', description: 'The effect that a policy would have had on past submissions.' });
export type PolicyPreview = z.infer<typeof PolicyPreview>;

/** Name of a policy in paths: a vendor code, or `default`. */
export const PolicyName = text(ACTOR_SIZES.vendorCode)
  .min(1)
  .refine((name) => name.trim() === name)
  .describe("The vendor's code as the inventory system writes it, or `default`.");

/** Path parameters of a request that writes a policy: no vendor code has control characters. */
export const WrittenPolicy = z.object({ name: trimmedLine(ACTOR_SIZES.vendorCode) });

/** Requests of the gateway. `name`: as in the path. */
export const PolicyQuery = z.object({ name: PolicyName });
export const PutPolicy = z.object({ name: PolicyName, policy: ApprovalPolicyRequest });
export type PolicyQuery = z.infer<typeof PolicyQuery>;
export type PutPolicy = z.infer<typeof PutPolicy>;
