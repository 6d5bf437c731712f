import type { LineItem } from '../../api/schemas.js';

/** Names a cell for good, also after the order was read anew: a quantity by its row's hash, a price by its item. */
export type SlotKey = string;
export type SlotKind = 'price' | 'quantity';

/** What may be replied to: a quantity, or the price of an item. */
export interface Slot {
  key: SlotKey;
  kind: SlotKind;
  style: string;
  color: string;
  /** Null for a price, which is that of all sizes. */
  size: string | null;
  /** Of the row that a reply is sent to; of a price the item's first one. */
  rowHash: string;
  original: number;
  reply: number | null;
  /** As last approved; null before. */
  agreed: number | null;
  /** Of a price: the original is the mean of what sizes have, so that a price for all of them is a change whatever it is. */
  isMean?: boolean;
}

/** An item: a code in a style and a colour. */
export interface Row {
  key: string;
  code: string;
  style: string;
  color: string;
  /** Which of the matrix' runs its sizes are of. */
  run: number;
  /** By size of the run; null for a size that the item does not have. */
  sizes: readonly (Slot | null)[];
  price: Slot;
  /** As the API sums it up: exact, also where sizes differ in price. */
  amount: number;
  originalAmount: number;
}

export interface Matrix {
  /** Labels of sizes that stand above each other: letters, waists … */
  runs: readonly (readonly string[])[];
  /** Columns of sizes; the price has the one after them. */
  width: number;
  rows: readonly Row[];
  slots: ReadonlyMap<SlotKey, Slot>;
}

export interface Place {
  row: number;
  column: number;
}

export const quantityKey = (rowHash: string): SlotKey => `quantity:${rowHash}`;

const SEPARATOR = '\u001F';

/**
 * Items as rows, their sizes as columns. Items that share a size have their columns in common; others follow below with columns of their
 * own, so that jeans among shirts do not make each row twice as wide.
 */
export function matrixOf(lines: readonly LineItem[]): Matrix {
  const runs: string[][] = [];
  const runOf = lines.map(({ sizeOrder }) => {
    const known = runs.findIndex((run) => sizeOrder.some((size) => run.includes(size)));
    const index = known === -1 ? runs.length : known;
    insert((runs[index] ??= []), sizeOrder);
    return index;
  });
  const rows = lines
    .map((line, index) => rowOf(line, runOf[index] ?? 0, runs[runOf[index] ?? 0] ?? []))
    .toSorted((a, b) => a.run - b.run);
  const slots = rows.flatMap(({ sizes, price }) => [...sizes.filter((slot) => slot !== null), price]);
  return {
    runs,
    width: Math.max(0, ...runs.map((run) => run.length)),
    rows,
    slots: new Map(slots.map((slot) => [slot.key, slot])),
  };
}

/** Puts sizes that a run lacks after those that they follow. */
function insert(run: string[], sizes: readonly string[]): void {
  let at = 0;
  for (const size of sizes) {
    const known = run.indexOf(size);
    if (known === -1) run.splice(at, 0, size);
    at = (known === -1 ? at : known) + 1;
  }
}

function rowOf(line: LineItem, run: number, labels: readonly string[]): Row {
  const { code, style, color } = line;
  const item = [code, style, color].join(SEPARATOR);
  const sizes = labels.map((label): Slot | null => {
    const entry = Object.hasOwn(line.sizes, label) ? line.sizes[label] : undefined;
    if (!entry) return null;
    const { rowHash, originalQty, vendorReplyQty, agreedQty } = entry;
    const key = quantityKey(rowHash);
    const values = { original: originalQty, reply: vendorReplyQty, agreed: agreedQty };
    return { key, kind: 'quantity', style, color, size: label, rowHash, ...values };
  });
  return {
    key: item,
    code,
    style,
    color,
    run,
    sizes,
    price: {
      key: `price:${item}`,
      kind: 'price',
      style,
      color,
      size: null,
      rowHash: sizes.find((slot) => slot !== null)?.rowHash ?? '',
      original: line.originalUnitPrice,
      reply: line.vendorReplyUnitPrice,
      agreed: line.agreedUnitPrice,
      isMean: line.originalPricesDiffer === true,
    },
    amount: line.totalAmount,
    originalAmount: line.originalTotalAmount,
  };
}

/** What stands at a place among these rows; null where the item has no such size. */
export function slotAt(rows: readonly Row[], width: number, { row, column }: Place): Slot | null {
  const found = rows[row];
  if (!found) return null;
  return column === width ? found.price : (found.sizes[column] ?? null);
}

/** Where a cell stands among these rows; null where it is not among them. */
export function placeOf(rows: readonly Row[], width: number, key: SlotKey): Place | null {
  for (const [row, { sizes, price }] of rows.entries()) {
    const column = price.key === key ? width : sizes.findIndex((slot) => slot?.key === key);
    if (column !== -1) return { row, column };
  }
  return null;
}

/** What a cell is called; `unitPrice`: the word for it. */
export const cellName = ({ style, color, size }: Pick<Slot, 'color' | 'size' | 'style'>, unitPrice: string): string =>
  [style, color, size ?? unitPrice].filter(Boolean).join(' · ');

/** The value that holds as long as nothing is typed. */
export const currentOf = ({ original, reply }: Pick<Slot, 'original' | 'reply'>): number => reply ?? original;
