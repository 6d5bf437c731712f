import type { Edits } from '../draft/draft.js';
import { type Row, type Slot, currentOf } from '../lines/size-matrix.js';

/** A row of the grid. */
export type Line =
  /** Size labels of another run. */
  | { kind: 'sizes'; key: string; run: number }
  /** A line item. `index`: among the shown line items. `first`: it is the first of its style. */
  | { kind: 'row'; key: string; row: Row; index: number; first: boolean }
  /** Total of a style that has several rows and is not the only style. */
  | { kind: 'total'; key: string; style: string; run: number };

/** Line items with size labels and totals between them. The labels of the first run are in the grid's header. */
export function linesOf(rows: readonly Row[]): Line[] {
  const lines: Line[] = [];
  const styles = rows.some((row) => !isSameStyle(rows[0], row));
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    const after = rows[index + 1];
    if (before && before.run !== row.run) lines.push({ kind: 'sizes', key: `sizes:${row.run}`, run: row.run });
    const first = !isSameStyle(before, row);
    lines.push({ kind: 'row', key: row.key, row, index, first });
    if (styles && !first && !isSameStyle(row, after)) {
      lines.push({ kind: 'total', key: `total:${row.key}`, style: row.style, run: row.run });
    }
  }
  return lines;
}

const isSameStyle = (one: Row | undefined, other: Row | undefined): boolean =>
  one?.style === other?.style && one?.run === other?.run;

/** True if the current value differs from the original or the agreed one. */
function differs(slot: Slot): boolean {
  const current = currentOf(slot);
  return current !== slot.original || (slot.agreed !== null && current !== slot.agreed);
}

/** Rows with a cell that differs or is unsaved. */
export const changedRows = (rows: readonly Row[], edits: Edits): Row[] =>
  rows.filter(({ sizes, price }) =>
    [...sizes, price].some((slot) => slot !== null && (differs(slot) || edits.has(slot.key))),
  );
