/** Maximum characters of a cell. No importable value is longer; longer values are cut so that their excess remains visible. */
export const MAX_CELL_LENGTH = 100;

/** Text or number as stored in the file; null for an empty cell, `uncalculated` for a formula without a stored value. */
export type Cell = string | number | null | { uncalculated: true };

export type Placed<T> = readonly [position: number, cell: T];

/** Receives the rows of a file in order: first the labels, then the cells of the requested columns. */
export interface Rows {
  /** Receives the texts in row 1. */
  labels: (cells: Iterable<Placed<string>>) => void;
  /** Whether the column at this position is needed. Called after `labels`. */
  reads: (position: number) => boolean;
  /** Receives a non-empty row by its number as users count rows, and its needed cells. Returns false if no more rows are needed. */
  row: (row: number, cells: Iterable<Placed<Cell>>) => boolean;
}
