import { type Edits, valueOf } from '../draft/draft.js';
import type { Row } from '../lines/size-matrix.js';

export interface Totals {
  quantity: number;
  originalQuantity: number;
  /** Pieces as last approved; null before. */
  agreedQuantity: number | null;
  /** Units of the order's currency, exact to 2 decimals. */
  amount: number;
  originalAmount: number;
  /** Some of it is summed up from mean prices. */
  rough: boolean;
}

const UNITS = 10_000;

/** Null where none of them is known. */
const sumOfKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);

/** Quantity times price in cents, rounded half up as the API rounds an item. */
function cents(quantity: number, price: number): bigint {
  const units = BigInt(quantity) * BigInt(Math.round(price * UNITS));
  return (units + 50n) / 100n;
}

/** Of an item as it would be once it is saved. */
export function rowTotals(row: Row, edits: Edits): Totals {
  const slots = row.sizes.filter((slot) => slot !== null);
  const price = valueOf(row.price, edits);
  const quantity = slots.reduce((sum, slot) => sum + valueOf(slot, edits), 0);
  const isTouched = edits.has(row.price.key) || slots.some(({ key }) => edits.has(key));
  const hasOnePrice =
    typeof edits.get(row.price.key)?.typed === 'number' || (row.price.reply !== null && !edits.has(row.price.key));
  return {
    quantity,
    originalQuantity: slots.reduce((sum, { original }) => sum + original, 0),
    agreedQuantity: sumOfKnown(slots.map(({ agreed }) => agreed)),
    amount: isTouched ? Number(cents(quantity, price)) / 100 : row.amount,
    originalAmount: row.originalAmount,
    // By the mean, until the item has one price.
    rough: isTouched && row.price.isMean === true && !hasOnePrice,
  };
}

/** What was typed into an item, and what it comes to by that. */
export interface RowState {
  edits: Edits;
  totals: Totals;
}

/** The state of each of these rows after what was typed, by key: the same object as before for a row that nothing was typed into since. */
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

/** Amounts are added as cents: of floats, the last digit of a long list would be wrong. */
export function sumOf(parts: readonly Totals[]): Totals {
  const add = (name: 'amount' | 'originalAmount') =>
    parts.reduce((sum, part) => sum + Math.round(part[name] * 100), 0) / 100;
  return {
    quantity: parts.reduce((sum, part) => sum + part.quantity, 0),
    originalQuantity: parts.reduce((sum, part) => sum + part.originalQuantity, 0),
    agreedQuantity: sumOfKnown(parts.map(({ agreedQuantity }) => agreedQuantity)),
    amount: add('amount'),
    originalAmount: add('originalAmount'),
    rough: parts.some(({ rough }) => rough),
  };
}

/** Totals of all rows that have something in common, such as their style, in the order of the rows. */
export function totalsBy(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  totalsOf: (row: Row) => Totals,
): Map<string, Totals> {
  return new Map([...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, sumOf(group.map(totalsOf))]));
}

/** Pieces of each size over these rows of one run; null where none of them has it. */
export function sizeTotals(rows: readonly Row[], width: number, edits: Edits): (number | null)[] {
  return Array.from({ length: width }, (_, column) => {
    const slots = rows.flatMap(({ sizes }) => sizes[column] ?? []);
    return slots.length === 0 ? null : slots.reduce((sum, slot) => sum + valueOf(slot, edits), 0);
  });
}
