import type { Tolerances } from '../api/approval-policies.js';
import { useFormats, useTexts } from '../language/language.js';
import { LIMITS } from './limit-texts.js';
import { type NumberField, type PolicyField, amountsOf, isDays } from './policy-fields.js';

export function useLimits() {
  const texts = useTexts(LIMITS);
  const formats = useFormats();
  const { days, percent } = formats;
  /** Text of the nonzero limits of a value, such as the decrease and the increase. */
  const limits = (write: (limit: number) => string, ...all: [limit: number, say: (limit: string) => string][]) =>
    all
      .filter(([limit]) => limit > 0)
      .map(([limit, say]) => say(write(limit)))
      .join(texts.comma) || texts.unchanged;
  const amounts = (maxAmount: readonly { currency: string; amount: number }[]) =>
    maxAmount.map(({ currency, amount }) => `${currency}\u00a0${formats.amount(amount)}`).join(' · ');
  return {
    /** Text of a form value, for example in a difference. */
    valueText: (field: PolicyField, value: string): string => {
      if (field === 'enabled' || field === 'allowFactoryChange') return value === 'true' ? texts.yes : texts.no;
      if (field !== 'maxAmount') return isDays(field) ? days(Number(value)) : percent(Number(value));
      const rows = amountsOf(value).map(({ currency, amount }) => ({ currency, amount: Number(amount) }));
      return rows.length === 0 ? texts.noLimit : amounts(rows);
    },
    maxText: (field: NumberField | 'amount', max: number): string =>
      field === 'amount' ? formats.amount(max) : isDays(field) ? formats.quantity(max) : percent(max),
    rowsOf: (policy: Tolerances): readonly (readonly [name: string, value: string])[] => [
      [texts.rows.date, limits(days, [policy.maxDaysEarlier, texts.earlier], [policy.maxDaysLater, texts.later])],
      [
        texts.rows.quantity,
        limits(percent, [policy.maxQtyIncreasePercent, texts.increase], [policy.maxQtyDecreasePercent, texts.decrease]),
      ],
      [
        texts.rows.price,
        limits(
          percent,
          [policy.maxPriceIncreasePercent, texts.increase],
          [policy.maxPriceDecreasePercent, texts.decrease],
        ),
      ],
      [texts.rows.factoryChange, texts.factoryChange[policy.allowFactoryChange ? 'true' : 'false']],
      [texts.rows.amount, policy.maxAmount.length === 0 ? texts.noLimit : texts.upTo(amounts(policy.maxAmount))],
    ],
  };
}
