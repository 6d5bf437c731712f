import { type Edits, valueOf } from '../draft/draft.js';
import type { Row } from '../lines/size-matrix.js';

export interface Totals {
  quantity: number;
  originalQuantity: number;
  /** Units of the order's currency, exact to 2 decimals. */
  amount: number;
  originalAmount: number;
  /** True if part of the amount was computed from mean prices. */
  rough: boolean;
}

const UNITS = 10_000;

/** Quantity times price in cents, rounded half up as the API rounds a line item. */
function cents(quantity: number, price: number): bigint {
  const units = BigInt(quantity) * BigInt(Math.round(price * UNITS));
  return (units + 50n) / 100n;
}

/** Totals of a line item as it would be saved. */
export function rowTotals(row: Row, edits: Edits): Totals {
  const slots = row.sizes.filter((slot) => slot !== null);
  const typed = edits.get(row.price.key)?.typed;
  const isPriceEdited = typed === null || typeof typed === 'number';
  const price = isPriceEdited ? valueOf(row.price, edits) : row.unitPrice;
  const quantity = slots.reduce((sum, slot) => sum + valueOf(slot, edits), 0);
  const isTouched = edits.has(row.price.key) || slots.some(({ key }) => edits.has(key));
  const hasOnePrice = typeof typed === 'number' || (row.price.reply !== null && typed !== null);
  return {
    quantity,
    originalQuantity: slots.reduce((sum, { original }) => sum + original, 0),
    amount: isTouched ? Number(cents(quantity, price)) / 100 : row.amount,
    originalAmount: row.originalAmount,
    // A mean price is used until the line item has one price.
    rough: isTouched && row.price.isMean === true && !hasOnePrice,
  };
}

/** Edits of a line item, and its totals with them. */
export interface RowState {
  edits: Edits;
  totals: Totals;
}

/** Returns a function that computes the row states by key. A row whose edits are unchanged keeps its previous object. */
export function rowStates(rows: readonly Row[]): (edits: Edits) => ReadonlyMap<string, RowState> {
  let known: ReadonlyMap<string, RowState> = new Map();
  return (edits) => {
    const next = rows.map((row): [string, RowState] => {
      const own = new Map(
        [...row.sizes, row.price].flatMap((slot) => {
          const edit = slot ? edits.get(slot.key) : undefined;
          return slot && edit ? [[slot.key, edit] as const] : [];
        }),
      );
      const before = known.get(row.key);
      const same = before?.edits.size === own.size && [...own].every(([key, edit]) => before.edits.get(key) === edit);
      return [row.key, before && same ? before : { edits: own, totals: rowTotals(row, own) }];
    });
    known = new Map(next);
    return known;
  };
}

/** Amounts are added in cents: with floats, the last digit of a long sum could be wrong. */
export function sumOf(parts: readonly Totals[]): Totals {
  const add = (name: 'amount' | 'originalAmount') =>
    parts.reduce((sum, part) => sum + Math.round(part[name] * 100), 0) / 100;
  return {
    quantity: parts.reduce((sum, part) => sum + part.quantity, 0),
    originalQuantity: parts.reduce((sum, part) => sum + part.originalQuantity, 0),
    amount: add('amount'),
    originalAmount: add('originalAmount'),
    rough: parts.some(({ rough }) => rough),
  };
}

/** Totals of rows grouped by a common name, such as their style, in row order. */
export function totalsBy(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  totalsOf: (row: Row) => Totals,
): Map<string, Totals> {
  return new Map([...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, sumOf(group.map(totalsOf))]));
}

/** Pieces by size over these rows of one run; null for a size that no row has. */
export function sizeTotals(rows: readonly Row[], width: number, edits: Edits): (number | null)[] {
  return Array.from({ length: width }, (_, column) => {
    const slots = rows.flatMap(({ sizes }) => sizes[column] ?? []);
    return slots.length === 0 ? null : slots.reduce((sum, slot) => sum + valueOf(slot, edits), 0);
  });
}
