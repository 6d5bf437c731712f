import type { MessageRow } from '../../api/schemas.js';
import { type Row, type Slot, type SlotKey, cellName, quantityKey } from '../lines/size-matrix.js';

/** Rows of these cells in matrix order. A price cell stands for all sizes of its line item. */
export function messageRows(rows: readonly Row[], slots: readonly Slot[]): MessageRow[] {
  const wanted = new Set(slots.map(({ key }) => key));
  return rows.flatMap(({ code, sizes, price }) =>
    sizes.flatMap((slot): MessageRow[] => {
      if (slot === null || !(wanted.has(slot.key) || wanted.has(price.key))) return [];
      const { rowHash, style, color, size } = slot;
      return [{ rowHash, code, style, color, size: size ?? '' }];
    }),
  );
}

/** The cells of a message that the order still has, and the names of the removed ones. */
export function cellsOfRows(
  rows: readonly MessageRow[],
  slots: ReadonlyMap<SlotKey, Slot> | undefined,
): { present: SlotKey[]; removed: string[] } {
  const keys = rows.map((row) => [quantityKey(row.rowHash), row] as const);
  return {
    present: keys.flatMap(([key]) => (slots?.has(key) ? [key] : [])),
    removed: keys.flatMap(([key, row]) => (slots && !slots.has(key) ? [rowName(row)] : [])),
  };
}

export const rowName = (row: MessageRow): string => cellName(row, '');
