import { describe, expect, it } from '@jest/globals';
import { ApprovalPolicyRequest } from '@po/contracts';
import fc from 'fast-check';
import type { Tolerances } from '../api/approval-policies.js';
import { type PolicyField, amountsText, fieldsOf } from './policy-fields.js';
import { type ErrorPlace, type FieldError, readForm } from './read-form.js';
import { TOLERANCES } from './sample-policies.js';

const typed = (field: PolicyField, text: string) => readForm(new Map([...fieldsOf(TOLERANCES), [field, text]]));
const amounts = (...rows: [string, string][]) =>
  typed('maxAmount', amountsText(rows.map(([currency, amount]) => ({ currency, amount }))));

/** A number of at most two decimals, up to a maximum. */
const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100);
const policies: fc.Arbitrary<Tolerances> = fc.record({
  enabled: fc.boolean(),
  maxDaysEarlier: fc.integer({ min: 0, max: 9_999 }),
  maxDaysLater: fc.integer({ min: 0, max: 9_999 }),
  maxQtyIncreasePercent: hundredths(9_999),
  maxQtyDecreasePercent: hundredths(100),
  maxPriceIncreasePercent: hundredths(9_999),
  maxPriceDecreasePercent: hundredths(100),
  allowFactoryChange: fc.boolean(),
  maxAmount: fc.uniqueArray(
    fc.record({ currency: fc.constantFrom('USD', 'EUR', 'CNY'), amount: hundredths(9_999_999_999) }),
    { selector: ({ currency }) => currency },
  ),
});

describe('the form of a policy', () => {
  it('reads back every policy that it displays, and the API accepts the result', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        expect(readForm(fieldsOf(policy))).toEqual({ tolerances: policy, errors: new Map() });
        expect(ApprovalPolicyRequest.parse(policy)).toEqual(policy);
      }),
    );
  });

  it.each<[PolicyField, string, FieldError]>([
    ['maxDaysEarlier', '', 'missing'],
    ['maxDaysEarlier', 'a week', 'notNumber'],
    ['maxDaysEarlier', '-1', 'negative'],
    ['maxDaysEarlier', '1.000', 'unclear'],
    ['maxDaysLater', '1.5', 'notWhole'],
    ['maxDaysLater', '10000', 'tooLarge'],
    ['maxQtyIncreasePercent', '2.505', 'unclear'],
    ['maxQtyIncreasePercent', '2.5050', 'decimals'],
    ['maxQtyIncreasePercent', '2,505', 'unclear'],
    ['maxQtyIncreasePercent', '2,500', 'unclear'],
    ['maxQtyIncreasePercent', '-.0', 'notNumber'],
    ['maxQtyIncreasePercent', '10000', 'tooLarge'],
    ['maxQtyDecreasePercent', '100.01', 'tooLarge'],
    ['maxPriceDecreasePercent', '101', 'tooLarge'],
  ])('rejects %s "%s" as %s and returns nothing to save', (field, text, error) => {
    expect(typed(field, text)).toEqual({ tolerances: null, errors: new Map([[field, error]]) });
  });

  it.each<[PolicyField, string, number]>([
    ['maxQtyDecreasePercent', '100', 100],
    ['maxQtyIncreasePercent', '9999.99', 9_999.99],
    ['maxPriceIncreasePercent', '２.50', 2.5],
    ['maxPriceIncreasePercent', '2,5', 2.5],
    ['maxPriceIncreasePercent', '2,500.00', 2_500],
    ['maxDaysLater', ' 1,000 ', 1_000],
  ])('accepts %s "%s" as users type it', (field, text, value) => {
    expect(typed(field, text).tolerances).toEqual({ ...TOLERANCES, [field]: value });
  });

  it.each<[rows: [string, string][], place: ErrorPlace, error: FieldError]>([
    [[['', '5']], 'maxAmount.0.currency', 'missing'],
    [[['US', '5']], 'maxAmount.0.currency', 'currency'],
    [[['usd', '5']], 'maxAmount.0.currency', 'currency'],
    [[['USD', '']], 'maxAmount.0.amount', 'missing'],
    [[['USD', '0.001']], 'maxAmount.0.amount', 'decimals'],
    [[['USD', '10.000']], 'maxAmount.0.amount', 'unclear'],
    [[['USD', '10,000']], 'maxAmount.0.amount', 'unclear'],
    [[['USD', '10000000000000']], 'maxAmount.0.amount', 'tooLarge'],
    [
      [
        ['USD', '5'],
        ['USD', '6'],
      ],
      'maxAmount.1.currency',
      'repeated',
    ],
  ])('reports the error of the amounts %j at its field: %s %s', (rows, place, error) => {
    expect(amounts(...rows)).toEqual({ tolerances: null, errors: new Map([[place, error]]) });
  });
});
