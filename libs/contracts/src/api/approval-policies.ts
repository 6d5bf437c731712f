import { z } from 'zod';
import { ACTOR_SIZES } from '../identity.js';
import { distinctBy } from '../validation/distinct-by.js';
import { localizedMessage } from '../validation/localized-message.js';
import { Currency, Instant, text } from '../validation/text.js';

/** What stands for the policy of vendors without an own one, in paths. */
export const DEFAULT_POLICY = 'default';

const MAX_DAYS = 9_999;
const MAX_PERCENT = 9_999.99;
/** Thirteen digits and two decimals, which a double holds exactly enough. */
const MAX_AMOUNT = 9_999_999_999_999.99;
const MAX_CURRENCIES = 200;

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

const days = z.int().min(0).max(MAX_DAYS);
const REPEATED = localizedMessage('DUPLICATE', 'must not repeat a currency', '货币不能重复');

const LIMIT = { currency: Currency, amount: decimal(MAX_AMOUNT).describe('At most 2 decimals.') };

const TOLERANCES = {
  enabled: z.boolean().describe('A disabled policy approves nothing.'),
  maxDaysEarlier: days.describe('Of the ex-factory date.'),
  maxDaysLater: days.describe('Of the ex-factory date.'),
  maxQtyIncreasePercent: decimal(MAX_PERCENT).describe('Of the quantity of each row, at most 2 decimals.'),
  maxQtyDecreasePercent: decimal(MAX_PERCENT).describe('Of the quantity of each row, at most 2 decimals.'),
  maxPriceIncreasePercent: decimal(MAX_PERCENT).describe('Of the price of each row, at most 2 decimals.'),
  maxPriceDecreasePercent: decimal(MAX_PERCENT).describe('Of the price of each row, at most 2 decimals.'),
  allowFactoryChange: z.boolean(),
  maxAmount: z
    .array(z.object(LIMIT))
    .describe(
      'The largest `amount` of an order, by its currency. Empty: no limit. An order in a currency that is not listed is not approved.',
    ),
};

/** What a submission may differ in, to be approved at once. */
export const Tolerances = z.object(TOLERANCES);
export type Tolerances = z.infer<typeof Tolerances>;

export const ApprovalPolicyRequest = z
  .strictObject({
    vendorCode: text(ACTOR_SIZES.vendorCode)
      .nullable()
      .optional()
      .describe('May be left out. If it is there, that of the path; null for the default.'),
    ...TOLERANCES,
    maxAmount: z
      .array(z.strictObject(LIMIT))
      .max(MAX_CURRENCIES)
      .superRefine(distinctBy('currency', REPEATED))
      .describe(TOLERANCES.maxAmount.description ?? ''),
  })
  .meta({ id: 'ApprovalPolicyRequest', description: 'An approval policy, all of it.' });
export type ApprovalPolicyRequest = z.infer<typeof ApprovalPolicyRequest>;

const Author = z
  .object({ userId: z.string(), name: z.string().nullable() })
  .meta({ id: 'PolicyAuthor', description: 'The administrator who changed an approval policy.' });

export const ApprovalPolicy = z
  .object({
    vendorCode: z.string().nullable().describe('Null: the default, for vendors without an own policy.'),
    ...TOLERANCES,
    version: z.int().describe('Raised by one with every change, a deletion too; `"<version>"` is the entity tag.'),
    updatedBy: Author,
    updatedAt: Instant,
  })
  .meta({
    id: 'ApprovalPolicy',
    description: 'What a submission of a vendor may differ in from what was ordered or agreed, to be approved at once.',
  });
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

export const PolicyChange = z
  .object({
    version: z.int(),
    policy: Tolerances.extend({ vendorCode: ApprovalPolicy.shape.vendorCode })
      .nullable()
      .describe('As it was from then on; null: deleted.'),
    changedBy: Author,
    changedAt: Instant,
  })
  .meta({ id: 'PolicyChange', description: 'One change of an approval policy.' });
export type PolicyChange = z.infer<typeof PolicyChange>;

export const PolicyPreview = z
  .object({
    submissions: z.int().describe('The latest submissions that the policy would have been asked for, at most 200.'),
    approved: z.int().describe('Those of them that it would have approved.'),
    recalled: z.int().describe('Those of the approved that were recalled or rejected next.'),
  })
  .meta({ id: 'PolicyPreview', description: 'What a policy would have made of submissions in the past.' });
export type PolicyPreview = z.infer<typeof PolicyPreview>;

/** A path's name of a policy: a vendor's code, or `default`. */
export const PolicyName = text(ACTOR_SIZES.vendorCode)
  .min(1)
  .refine((name) => name.trim() === name)
  .describe("The vendor's code as the inventory system writes it, or `default`.");

/** What the gateway asks for. `name`: as in the path. */
export const PolicyQuery = z.object({ name: PolicyName });
export const PutPolicy = z.object({ name: PolicyName, policy: ApprovalPolicyRequest });
export type PolicyQuery = z.infer<typeof PolicyQuery>;
export type PutPolicy = z.infer<typeof PutPolicy>;
