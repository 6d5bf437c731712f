import type { Tolerances } from '../api/approval-policies.js';
import { LOCALES } from '../language/formats.js';
import type { Language } from '../language/dictionary.js';
import { useFormats, useLanguage, useTexts } from '../language/language.js';
import { LIMITS } from './limit-texts.js';
import { type NumberField, type PolicyField, amountsOf, isDays } from './policy-fields.js';

const decimals = (language: Language) => new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 2 });
const PERCENT: Readonly<Record<Language, Intl.NumberFormat>> = { en: decimals('en'), zh: decimals('zh') };

/** Policies in words. */
export function useLimits() {
  const texts = useTexts(LIMITS);
  const formats = useFormats();
  const { language } = useLanguage();
  const percent = (value: number) => `${PERCENT[language].format(value)}%`;
  const both = (parts: readonly (string | false)[]) =>
    parts.filter((part) => part !== false).reduce((all, part) => (all === '' ? part : texts.and(all, part)), '') ||
    texts.unchanged;
  const amounts = (maxAmount: readonly { currency: string; amount: number }[]) =>
    maxAmount.map(({ currency, amount }) => `${currency}\u00a0${formats.amount(amount)}`).join(' · ');
  return {
    /** A value of the form, such as where a policy changed. */
    valueText: (field: PolicyField, value: string): string => {
      if (field === 'enabled' || field === 'allowFactoryChange') return value === 'true' ? texts.yes : texts.no;
      if (field !== 'maxAmount') return isDays(field) ? formats.days(Number(value)) : percent(Number(value));
      const rows = amountsOf(value).map(({ currency, amount }) => ({ currency, amount: Number(amount) }));
      return rows.length === 0 ? texts.noLimit : amounts(rows);
    },
    maxText: (field: NumberField | 'amount', max: number): string =>
      field === 'amount' ? formats.amount(max) : isDays(field) ? formats.quantity(max) : percent(max),
    rowsOf: (policy: Tolerances): readonly (readonly [name: string, value: string])[] => [
      [
        texts.rows.date,
        both([
          policy.maxDaysEarlier > 0 && texts.earlier(formats.days(policy.maxDaysEarlier)),
          policy.maxDaysLater > 0 && texts.later(formats.days(policy.maxDaysLater)),
        ]),
      ],
      [
        texts.rows.quantity,
        both([
          policy.maxQtyIncreasePercent > 0 && texts.increase(percent(policy.maxQtyIncreasePercent)),
          policy.maxQtyDecreasePercent > 0 && texts.decrease(percent(policy.maxQtyDecreasePercent)),
        ]),
      ],
      [
        texts.rows.price,
        both([
          policy.maxPriceIncreasePercent > 0 && texts.increase(percent(policy.maxPriceIncreasePercent)),
          policy.maxPriceDecreasePercent > 0 && texts.decrease(percent(policy.maxPriceDecreasePercent)),
        ]),
      ],
      [texts.rows.factoryChange, texts.factoryChange[policy.allowFactoryChange ? 'true' : 'false']],
      [texts.rows.amount, policy.maxAmount.length === 0 ? texts.noLimit : texts.upTo(amounts(policy.maxAmount))],
    ],
  };
}
