import type { OrderSummary } from '../../api/schemas.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { totalsOf } from './order-totals.js';
import { DescriptionList } from '../page.js';

/** Terms that the user accepts with one or more orders: amounts by currency, quantity, and range of ex-factory dates. */
export function AcceptedTerms({ orders }: { orders: readonly OrderSummary[] }) {
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const { amounts, qty } = totalsOf(orders);
  const dates = orders.map(({ xfDate }) => xfDate).toSorted();
  const ends = new Set([dates.at(0), dates.at(-1)].filter((date) => date !== undefined));
  return (
    <DescriptionList
      items={[
        [terms.amount, amounts.map(([currency, sum]) => `${currency} ${formats.amount(sum)}`).join(' · ')],
        [terms.quantity, formats.quantity(qty)],
        [terms.xfDate, [...ends].map(formats.date).join(' – ')],
      ]}
    />
  );
}
