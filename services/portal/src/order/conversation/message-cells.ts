import type { MessageRow } from '../../api/schemas.js';
import type { Row, Slot } from '../lines/size-matrix.js';

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
