import { type Agreement, type LineItem, NEGOTIATED_FIELDS, type NegotiatedField } from '@po/contracts';
import { meanOf, moneyToNumber, roundToCents } from './money.js';
import type { Cell, Fact, Money, Negotiated, Order } from './order.js';

/** The vendor's reply, else the original. */
export const current = <T>({ reply, original }: Pick<Negotiated<T>, 'reply' | 'original'>): T => reply ?? original;
export const currentQty = ({ qty }: Cell): number => current(qty);
export const currentPrice = ({ price }: Cell): Money => current(price);

/** The value that edits are compared with: the agreed one, or the original if none is agreed or the source changed it since. */
export function baseline<T>(value: Negotiated<T>, isAgreed: boolean): T {
  return isAgreed && !value.sourceChanged ? (value.agreed as T) : value.original;
}

/** A cell that joined after the agreement has no agreed values. */
export const isCellAgreed = ({ qty }: Cell): boolean => qty.agreed !== null;

/** The rows that are part of the order now. */
export const liveCells = ({ cells }: Pick<Order, 'cells'>): Cell[] => cells.filter(({ removed }) => !removed);

type CellIdentity = Pick<Cell, 'rowHash' | 'code' | 'style' | 'color' | 'size'>;
/** The fields that identify a line, in the order of published records. */
export const identityOf = ({ rowHash, code, style, color, size }: Cell): CellIdentity => ({
  rowHash,
  code,
  style,
  color,
  size,
});

/** The values at the last APPROVE, including rows that left the order since; null before the first APPROVE. */
export function agreementOf(order: Order): Agreement | null {
  const terms = agreedTermsOf(order);
  return terms && { ...terms, lines: order.cells.filter(isCellAgreed).map(agreedLineOf) };
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

/** The agreed values of a cell that is part of the agreement. */
export function agreedLineOf(cell: Cell): Agreement['lines'][number] {
  const { lineId, qty, price } = cell;
  return { lineId, ...identityOf(cell), qty: qty.agreed ?? 0, unitPrice: moneyToNumber(price.agreed ?? 0n) };
}

/** True while a field is off its baseline because of a vendor's edit in status 100 or 150 that no APPROVE has settled. */
export function hasPendingChanges(order: Order): boolean {
  const headerAgreed = order.agreedAt !== null;
  const off = <T>(value: Negotiated<T>, isAgreed: boolean) =>
    value.edited && current(value) !== baseline(value, isAgreed);
  const offFact = (fact: Fact) => fact.edited && fact.value !== fact.baseline;
  return (
    NEGOTIATED_FIELDS.some((field) => off<string | null>(order[field], headerAgreed)) ||
    [order.comment, order.container, order.tracking].some(offFact) ||
    liveCells(order).some((cell) => off(cell.qty, isCellAgreed(cell)) || off(cell.price, isCellAgreed(cell)))
  );
}

export interface Totals {
  amount: Money;
  originalAmount: Money;
  totalQty: number;
  originalTotalQty: number;
  /** Items (code x style x color), not cells. */
  lineCount: number;
}

/** The order's totals. Amounts are sums of the displayed item amounts, each rounded to cents. */
export function totals(order: Order): Totals {
  const items = itemsOf(order).map(itemTotals);
  return {
    amount: sum(items.map(({ amount }) => amount)),
    originalAmount: sum(items.map(({ originalAmount }) => originalAmount)),
    totalQty: count(items.map(({ totalQty }) => totalQty)),
    originalTotalQty: count(items.map(({ originalTotalQty }) => originalTotalQty)),
    lineCount: items.length,
  };
}

const itemTotals = memoizeByCells((cells) => ({
  amount: roundToCents(sum(cells.map((cell) => BigInt(currentQty(cell)) * currentPrice(cell)))),
  originalAmount: roundToCents(sum(cells.map(({ qty, price }) => BigInt(qty.original) * price.original))),
  totalQty: count(cells.map(currentQty)),
  originalTotalQty: count(cells.map(({ qty }) => qty.original)),
}));

/** Unique key of a (code, style, color). No text contains the separator NUL, because PostgreSQL cannot store it. */
export const itemKey = ({ code, style, color }: Pick<Cell, 'code' | 'style' | 'color'>): string =>
  `${code}\0${style}\0${color}`;

/** The line item of these cells, as the API shows it. */
export function lineItemOf(cells: Item): LineItem {
  const { amount, originalAmount, totalQty, originalTotalQty } = itemTotals(cells);
  const [{ code, style, color, price: firstPrice }] = cells;
  const agreed = cells.filter(isCellAgreed);
  return {
    code,
    style,
    color,
    unitPrice: moneyToNumber(meanPrice(cells, currentQty, currentPrice)),
    originalUnitPrice: moneyToNumber(
      meanPrice(
        cells,
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
      cells.map(({ size, qty, rowHash, lineId }) => [
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
    sizeOrder: cells.map(({ size }) => size),
    totalQty,
    originalTotalQty,
    totalAmount: moneyToNumber(amount),
    originalTotalAmount: moneyToNumber(originalAmount),
    isModified: cells.some(
      (cell) => currentQty(cell) !== cell.qty.original || currentPrice(cell) !== cell.price.original,
    ),
    ...(cells.some(({ price }) => price.original !== firstPrice.original) && { originalPricesDiffer: true }),
  };
}

/** At least one. */
export type Cells = [Cell, ...Cell[]];
/** The live cells of one (code, style, color), in source order. */
export type Item = Cells;

const known = new WeakMap<Order['cells'], Item[]>();

/** The items of an order, in source order. */
export function itemsOf({ cells }: Pick<Order, 'cells'>): Item[] {
  const earlier = known.get(cells);
  if (earlier) return earlier;
  const items = groupedByItem(cells);
  known.set(cells, items);
  return items;
}

function groupedByItem(cells: readonly Cell[]): Item[] {
  const items = new Map<string, Item>();
  for (const cell of liveCells({ cells }).toSorted((a, b) => a.position - b.position)) {
    const key = itemKey(cell);
    const item = items.get(key);
    if (item) item.push(cell);
    else items.set(key, [cell]);
  }
  return [...items.values()];
}

/**
 * Caches a value derived from consecutive cells. Rules never mutate a cell but create a new one, so in an order of thousands of rows only
 * the values of changed cells are derived again.
 */
export function memoizeByCells<T>(derive: (cells: Cells) => T): (cells: Cells) => T {
  const derived = new WeakMap<Cell, { of: Cells; value: T }>();
  return (cells) => {
    const [first] = cells;
    const earlier = derived.get(first);
    if (earlier?.of.length === cells.length && cells.every((cell, index) => cell === earlier.of[index])) {
      return earlier.value;
    }
    const value = derive(cells);
    derived.set(first, { of: cells, value });
    return value;
  };
}

/** The price of the cells, or their mean weighted by quantity if prices differ (the plain mean if the quantity is 0). */
function meanPrice(cells: Cell[], qtyOf: (cell: Cell) => number, priceOf: (cell: Cell) => Money): Money {
  const quantity = BigInt(count(cells.map(qtyOf)));
  if (quantity === 0n) return meanOf(sum(cells.map(priceOf)), BigInt(cells.length));
  return meanOf(sum(cells.map((cell) => BigInt(qtyOf(cell)) * priceOf(cell))), quantity);
}

const sum = (amounts: Money[]): Money => amounts.reduce((total, amount) => total + amount, 0n);
const count = (quantities: number[]): number => quantities.reduce((total, qty) => total + qty, 0);
