import type { Edits } from '../draft/draft.js';
import { type Row, type Slot, currentOf } from '../lines/size-matrix.js';

/** What is shown below each other. */
export type Line =
  /** Labels of another run's sizes. */
  | { kind: 'sizes'; key: string; run: number }
  /** `index` among the rows that are shown; `first` of its style. */
  | { kind: 'row'; key: string; row: Row; index: number; first: boolean }
  /** Of a style that comes in several rows, beside other styles. */
  | { kind: 'total'; key: string; style: string; run: number };

/** Rows with what stands between them. The labels of the first run are the grid's own head. */
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

/** The value that is asked for differs from the original, or from what was agreed. */
function differs(slot: Slot): boolean {
  const current = currentOf(slot);
  return current !== slot.original || (slot.agreed !== null && current !== slot.agreed);
}

/** Rows where anything differs, or is not saved. */
export const changedRows = (rows: readonly Row[], edits: Edits): Row[] =>
  rows.filter(({ sizes, price }) =>
    [...sizes, price].some((slot) => slot !== null && (differs(slot) || edits.has(slot.key))),
  );
