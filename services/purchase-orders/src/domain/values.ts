import { type Agreement, type LineItem, NEGOTIATED_FIELDS, type NegotiatedField } from '@po/contracts';
import { meanOf, moneyToNumber, roundToCents } from './money.js';
import type { Line, VendorValue, Money, Negotiated, Order } from './order.js';

/** The vendor's reply, else the original. */
export const current = <T>({ reply, original }: Pick<Negotiated<T>, 'reply' | 'original'>): T => reply ?? original;
export const currentQty = ({ qty }: Line): number => current(qty);
export const currentPrice = ({ price }: Line): Money => current(price);

/** The value that edits are compared with: the agreed one, or the original if none is agreed or the source changed it since. */
export function baseline<T>(value: Negotiated<T>, isAgreed: boolean): T {
  return isAgreed && !value.sourceChanged ? (value.agreed as T) : value.original;
}

/** A line that joined after the agreement has no agreed values. */
export const isLineAgreed = ({ qty }: Line): boolean => qty.agreed !== null;

/** The lines that are part of the order now. */
export const currentLines = ({ lines }: Pick<Order, 'lines'>): Line[] => lines.filter(({ removed }) => !removed);

type LineIdentity = Pick<Line, 'rowHash' | 'code' | 'style' | 'color' | 'size'>;
/** The fields that identify a line, in the order of published records. */
export const identityOf = ({ rowHash, code, style, color, size }: Line): LineIdentity => ({
  rowHash,
  code,
  style,
  color,
  size,
});

/** The values at the last APPROVE, including lines that left the order since; null before the first APPROVE. */
export function agreementOf(order: Order): Agreement | null {
  const terms = agreedTermsOf(order);
  return terms && { ...terms, lines: order.lines.filter(isLineAgreed).map(agreedLineOf) };
}

/** The agreement without its lines. */
export function agreedTermsOf(order: Order): Omit<Agreement, 'lines'> | null {
  return order.agreedAt === null ? null : byNegotiatedField((field) => order[field].agreed);
}

/** Builds a record with a value for each negotiated field of the header. */
export function byNegotiatedField<Values extends { [Field in NegotiatedField]?: unknown }>(
  valueOf: (field: NegotiatedField) => Values[NegotiatedField] | null,
): Values {
  const values: Partial<Record<NegotiatedField, unknown>> = {};
  for (const field of NEGOTIATED_FIELDS) values[field] = valueOf(field);
  return values as Values;
}

/** The agreed values of a line that is part of the agreement. */
export function agreedLineOf(line: Line): Agreement['lines'][number] {
  const { lineId, qty, price } = line;
  return { lineId, ...identityOf(line), qty: qty.agreed ?? 0, unitPrice: moneyToNumber(price.agreed ?? 0n) };
}

/** True while a field differs from its baseline because of a vendor's edit in status 100 or 150 that is not approved yet. */
export function hasPendingChanges(order: Order): boolean {
  const headerAgreed = order.agreedAt !== null;
  const off = <T>(value: Negotiated<T>, isAgreed: boolean) =>
    value.edited && current(value) !== baseline(value, isAgreed);
  const offVendorValue = (each: VendorValue) => each.edited && each.value !== each.baseline;
  return (
    NEGOTIATED_FIELDS.some((field) => off<string | null>(order[field], headerAgreed)) ||
    [order.comment, order.container, order.tracking].some(offVendorValue) ||
    currentLines(order).some((line) => off(line.qty, isLineAgreed(line)) || off(line.price, isLineAgreed(line)))
  );
}

export interface Totals {
  amount: Money;
  originalAmount: Money;
  totalQty: number;
  originalTotalQty: number;
  /** Items (code x style x color), not lines. */
  lineCount: number;
}

/** The order's totals. Amounts are sums of the displayed item amounts, each rounded to cents. */
export function totals(order: Order): Totals {
  const items = linesByItem(order).map(itemTotals);
  return {
    amount: sum(items.map(({ amount }) => amount)),
    originalAmount: sum(items.map(({ originalAmount }) => originalAmount)),
    totalQty: count(items.map(({ totalQty }) => totalQty)),
    originalTotalQty: count(items.map(({ originalTotalQty }) => originalTotalQty)),
    lineCount: items.length,
  };
}

const itemTotals = memoizeByLines((lines) => ({
  amount: roundToCents(sum(lines.map((line) => BigInt(currentQty(line)) * currentPrice(line)))),
  originalAmount: roundToCents(sum(lines.map(({ qty, price }) => BigInt(qty.original) * price.original))),
  totalQty: count(lines.map(currentQty)),
  originalTotalQty: count(lines.map(({ qty }) => qty.original)),
}));

/** Unique key of a (code, style, color). No text contains the separator NUL, because PostgreSQL cannot store it. */
export const itemKey = ({ code, style, color }: Pick<Line, 'code' | 'style' | 'color'>): string =>
  `${code}\0${style}\0${color}`;

/** The line item of these lines, as the API shows it. */
export function lineItemOf(lines: LinesOfItem): LineItem {
  const { amount, originalAmount, totalQty, originalTotalQty } = itemTotals(lines);
  const [{ code, style, color, price: firstPrice }] = lines;
  const agreed = lines.filter(isLineAgreed);
  return {
    code,
    style,
    color,
    unitPrice: moneyToNumber(meanPrice(lines, currentQty, currentPrice)),
    originalUnitPrice: moneyToNumber(
      meanPrice(
        lines,
        ({ qty }) => qty.original,
        ({ price }) => price.original,
      ),
    ),
    vendorReplyUnitPrice: firstPrice.reply === null ? null : moneyToNumber(firstPrice.reply),
    agreedUnitPrice:
      agreed.length === 0
        ? null
        : moneyToNumber(
            meanPrice(
              agreed,
              ({ qty }) => qty.agreed ?? 0,
              ({ price }) => price.agreed ?? 0n,
            ),
          ),
    // Object.fromEntries defines own keys, so that a size named `__proto__` stays a size.
    sizes: Object.fromEntries(
      lines.map(({ size, qty, rowHash, lineId }) => [
        size,
        {
          qty: current(qty),
          originalQty: qty.original,
          vendorReplyQty: qty.reply,
          agreedQty: qty.agreed,
          rowHash,
          lineId,
        },
      ]),
    ),
    sizeOrder: lines.map(({ size }) => size),
    totalQty,
    originalTotalQty,
    totalAmount: moneyToNumber(amount),
    originalTotalAmount: moneyToNumber(originalAmount),
    isModified: lines.some(
      (line) => currentQty(line) !== line.qty.original || currentPrice(line) !== line.price.original,
    ),
    ...(lines.some(({ price }) => price.original !== firstPrice.original) && { originalPricesDiffer: true }),
  };
}

/** At least one. */
export type Lines = [Line, ...Line[]];
/** The current lines of one (code, style, color), in source order. */
export type LinesOfItem = Lines;

const known = new WeakMap<Order['lines'], LinesOfItem[]>();

/** The items of an order, in source order. */
export function linesByItem({ lines }: Pick<Order, 'lines'>): LinesOfItem[] {
  const earlier = known.get(lines);
  if (earlier) return earlier;
  const items = groupedByItem(lines);
  known.set(lines, items);
  return items;
}

function groupedByItem(lines: readonly Line[]): LinesOfItem[] {
  const items = new Map<string, LinesOfItem>();
  for (const line of currentLines({ lines }).toSorted((a, b) => a.position - b.position)) {
    const key = itemKey(line);
    const item = items.get(key);
    if (item) item.push(line);
    else items.set(key, [line]);
  }
  return [...items.values()];
}

/**
 * Caches a value derived from consecutive lines. Rules never mutate a line but create a new one, so in an order of thousands of lines only
 * the values of changed lines are derived again.
 */
export function memoizeByLines<T>(derive: (lines: Lines) => T): (lines: Lines) => T {
  const derived = new WeakMap<Line, { of: Lines; value: T }>();
  return (lines) => {
    const [first] = lines;
    const earlier = derived.get(first);
    if (earlier?.of.length === lines.length && lines.every((line, index) => line === earlier.of[index])) {
      return earlier.value;
    }
    const value = derive(lines);
    derived.set(first, { of: lines, value });
    return value;
  };
}

/** The price of the lines, or their mean weighted by quantity if prices differ (the plain mean if the quantity is 0). */
function meanPrice(lines: Line[], qtyOf: (line: Line) => number, priceOf: (line: Line) => Money): Money {
  const quantity = BigInt(count(lines.map(qtyOf)));
  if (quantity === 0n) return meanOf(sum(lines.map(priceOf)), BigInt(lines.length));
  return meanOf(sum(lines.map((line) => BigInt(qtyOf(line)) * priceOf(line))), quantity);
}

const sum = (amounts: Money[]): Money => amounts.reduce((total, amount) => total + amount, 0n);
const count = (quantities: number[]): number => quantities.reduce((total, qty) => total + qty, 0);
