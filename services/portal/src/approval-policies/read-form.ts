import { MAX_POLICY_AMOUNT, MAX_POLICY_DAYS, MAX_POLICY_PERCENT } from '@po/contracts/constants';
import type { Tolerances } from '../api/approval-policies.js';
import type { Fields } from '../order/conflict/three-way-merge.js';
import { type LimitError, digitsOf, isUnclear, rangeErrorOf } from '../order/draft/parse-input.js';
import { type AmountRow, type NumberField, type PolicyField, amountsOf, isDays } from './policy-fields.js';

export type FieldError = LimitError | 'notNumber' | 'unclear' | 'missing' | 'currency' | 'repeated';

/** A field, or the currency or amount of one row. */
export type ErrorPlace = PolicyField | `maxAmount.${number}.${'currency' | 'amount'}`;

export interface ReadForm {
  /** Null if there are errors. */
  tolerances: Tolerances | null;
  errors: ReadonlyMap<ErrorPlace, FieldError>;
}

/** The API's limits, except that decreases stop at 100%: the API accepts more, but a decrease beyond 100% has no meaning. */
export const MAX: Readonly<Record<NumberField | 'amount', number>> = {
  maxDaysEarlier: MAX_POLICY_DAYS,
  maxDaysLater: MAX_POLICY_DAYS,
  maxQtyIncreasePercent: MAX_POLICY_PERCENT,
  maxQtyDecreasePercent: 100,
  maxPriceIncreasePercent: MAX_POLICY_PERCENT,
  maxPriceDecreasePercent: 100,
  amount: MAX_POLICY_AMOUNT,
};

const CURRENCY = /^[A-Z]{3}$/;

/** Parses the typed values. Does not throw: invalid values are reported in `errors`. */
export function readForm(typed: Fields<string>): ReadForm {
  const errors = new Map<ErrorPlace, FieldError>();
  const textOf = (field: PolicyField) => typed.get(field) ?? '';
  const number = (place: ErrorPlace, text: string, max: number, decimals: number): number => {
    const read = readNumber(text, max, decimals);
    if (typeof read === 'number') return read;
    errors.set(place, read);
    return 0;
  };
  const limit = (field: NumberField) => number(field, textOf(field), MAX[field], isDays(field) ? 0 : 2);
  const rows = amountsOf(typed.get('maxAmount') ?? '[]');
  const tolerances: Tolerances = {
    enabled: textOf('enabled') === 'true',
    maxDaysEarlier: limit('maxDaysEarlier'),
    maxDaysLater: limit('maxDaysLater'),
    maxQtyIncreasePercent: limit('maxQtyIncreasePercent'),
    maxQtyDecreasePercent: limit('maxQtyDecreasePercent'),
    maxPriceIncreasePercent: limit('maxPriceIncreasePercent'),
    maxPriceDecreasePercent: limit('maxPriceDecreasePercent'),
    allowFactoryChange: textOf('allowFactoryChange') === 'true',
    maxAmount: rows.map(({ currency, amount }, at) => {
      const error = currencyErrorOf(rows, at);
      if (error !== null) errors.set(`maxAmount.${at}.currency`, error);
      return { currency, amount: number(`maxAmount.${at}.amount`, amount, MAX.amount, 2) };
    }),
  };
  return { tolerances: errors.size === 0 ? tolerances : null, errors };
}

function currencyErrorOf(rows: readonly AmountRow[], at: number): FieldError | null {
  const currency = rows[at]?.currency ?? '';
  if (currency === '') return 'missing';
  if (!CURRENCY.test(currency)) return 'currency';
  return rows.findIndex((row) => row.currency === currency) < at ? 'repeated' : null;
}

/** Parses a number from 0 to `max`, or returns the reason why the text is invalid. */
function readNumber(text: string, max: number, decimals: number): number | FieldError {
  // NFKC converts full-width digits and signs, which Chinese keyboards produce.
  const plain = text.normalize('NFKC').trim();
  if (plain === '') return 'missing';
  // With at most two decimals, a point before three digits too can only separate thousands.
  if (isUnclear(plain, 0) || isUnclear(plain, decimals)) return 'unclear';
  const digits = digitsOf(plain, decimals);
  if (digits === null) return 'notNumber';
  return rangeErrorOf(digits, max, decimals) ?? Number(digits);
}
