import type { LineItem } from '../../api/schemas.js';

/** Name of a cell that stays the same across reads: a quantity by its row's hash, a price by its line item. */
export type SlotKey = string;
export type SlotKind = 'price' | 'quantity';

/** A cell that the vendor can reply to: a quantity, or the price of a line item. */
export interface Slot {
  key: SlotKey;
  kind: SlotKind;
  style: string;
  color: string;
  /** Null for a price, which applies to all sizes. */
  size: string | null;
  /** Row that a reply is sent to; for a price, the first row of the line item. */
  rowHash: string;
  original: number;
  reply: number | null;
  /** Last approved value; null before the first approval, and for a mean: those of different quantities cannot be compared. */
  agreed: number | null;
  /** For a price: the original is the mean of the sizes' prices, so any single price for all of them is a change. */
  isMean?: boolean;
}

/** A line item: code, style and color. */
export interface Row {
  key: string;
  code: string;
  style: string;
  color: string;
  /** Index of the run that its sizes belong to. */
  run: number;
  /** Cells by size of the run; null for a size that the line item does not have. */
  sizes: readonly (Slot | null)[];
  price: Slot;
  /** Saved price; if the sizes differ in price, the mean weighted by their present quantities. */
  unitPrice: number;
  /** Sum from the API: exact even if sizes differ in price. */
  amount: number;
  originalAmount: number;
}

export interface Matrix {
  /** Size labels by run. A run is a set of sizes that share columns: letters, waists … */
  runs: readonly (readonly string[])[];
  /** Number of size columns; the price column follows. */
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
 * Line items as rows, sizes as columns. Line items that share a size share columns. Others follow below with columns of their own, so that
 * jeans among shirts do not double the width of each row.
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

/** Inserts sizes that a run lacks, each after the size that it follows. */
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
      agreed: line.originalPricesDiffer === true && line.vendorReplyUnitPrice === null ? null : line.agreedUnitPrice,
      isMean: line.originalPricesDiffer === true,
    },
    unitPrice: line.unitPrice,
    amount: line.totalAmount,
    originalAmount: line.originalTotalAmount,
  };
}

/** The cell at a place among these rows; null if the line item has no such size. */
export function slotAt(rows: readonly Row[], width: number, { row, column }: Place): Slot | null {
  const found = rows[row];
  if (!found) return null;
  return column === width ? found.price : (found.sizes[column] ?? null);
}

/** The place of a cell among these rows; null if it is not there. */
export function placeOf(rows: readonly Row[], width: number, key: SlotKey): Place | null {
  for (const [row, { sizes, price }] of rows.entries()) {
    const column = price.key === key ? width : sizes.findIndex((slot) => slot?.key === key);
    if (column !== -1) return { row, column };
  }
  return null;
}

/** Display name of a cell. `unitPrice`: the word for a price. */
export const cellName = ({ style, color, size }: Pick<Slot, 'color' | 'size' | 'style'>, unitPrice: string): string =>
  [style, color, size ?? unitPrice].filter(Boolean).join(' · ');

/** The saved value: the reply, or the original if there is none. */
export const currentOf = ({ original, reply }: Pick<Slot, 'original' | 'reply'>): number => reply ?? original;
