import { NEGOTIATED, NEGOTIATED_FIELDS, type PurchaseOrderDiff } from '@po/contracts';
import { moneyToNumber, roundToCents } from './money.js';
import type { Line, Money, Negotiated, Order } from './order.js';
import { current, currentQty, identityOf, isLineAgreed, itemKey, totals } from './values.js';

type LineDifference = PurchaseOrderDiff['lines'][number];

/** A negotiated value with its current value. */
interface Compared<T> {
  original: T;
  reply: T | null;
  agreed: T | null;
  current: T;
}

/** Fields whose current value differs from the original or agreed one (lines in source order), and the totals of the whole order. */
export function diffOf(order: Order): PurchaseOrderDiff {
  const isAgreed = order.agreedAt !== null;
  return {
    poRef: order.poNumber,
    version: order.version,
    header: NEGOTIATED_FIELDS.flatMap((field) =>
      differing(NEGOTIATED[field].current, compared<string | null>(order[field]), isAgreed),
    ),
    lines: order.lines.flatMap(lineDifferences),
    totals: totalsOf(order),
  };
}

const compared = <T>(value: Negotiated<T>, now: T = current(value)): Compared<T> => ({
  original: value.original,
  reply: value.reply,
  agreed: value.agreed,
  current: now,
});

function differing<Field extends string, T>(
  field: Field,
  values: Compared<T>,
  isAgreed: boolean,
): ({ field: Field } & Compared<T>)[] {
  const differs = values.current !== values.original || (isAgreed && values.current !== values.agreed);
  return differs ? [{ field, ...values }] : [];
}

function lineDifferences(line: Line): LineDifference[] {
  const isAgreed = isLineAgreed(line);
  const quantities = differing('qty', compared(line.qty, line.removed ? 0 : currentQty(line)), isAgreed);
  // A removed line orders nothing, so it has no price to compare.
  const prices = line.removed ? [] : differing('unitPrice', compared(line.price), isAgreed);
  return [...quantities, ...prices.map((price) => ({ ...price, ...inNumbers(price) }))].map((difference) => ({
    ...identityOf(line),
    ...difference,
  }));
}

const inNumbers = ({ original, reply, agreed, current: now }: Compared<Money>): Compared<number> => ({
  original: moneyToNumber(original),
  reply: reply === null ? null : moneyToNumber(reply),
  agreed: agreed === null ? null : moneyToNumber(agreed),
  current: moneyToNumber(now),
});

function totalsOf(order: Order): PurchaseOrderDiff['totals'] {
  const { originalTotalQty, totalQty, originalAmount, amount } = totals(order);
  const agreed = order.agreedAt === null ? null : order.lines.filter(isLineAgreed);
  return {
    originalQty: originalTotalQty,
    qty: totalQty,
    agreedQty: agreed && agreed.reduce((sum, { qty }) => sum + (qty.agreed ?? 0), 0),
    originalAmount: moneyToNumber(originalAmount),
    amount: moneyToNumber(amount),
    agreedAmount: agreed && moneyToNumber(agreedAmount(agreed)),
  };
}

/** Sum of the items' amounts, each rounded to cents, like the other amounts of the order. */
function agreedAmount(lines: readonly Line[]): Money {
  const items = [...Map.groupBy(lines, itemKey).values()];
  return items
    .map((item) => item.reduce((sum, { qty, price }) => sum + BigInt(qty.agreed ?? 0) * (price.agreed ?? 0n), 0n))
    .reduce((sum, amount) => sum + roundToCents(amount), 0n);
}
