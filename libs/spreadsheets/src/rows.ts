/** Of a cell. What is longer is none of what an import reads, and is kept as far as that shows. */
export const MAX_CELL_LENGTH = 100;

/** Text or number as the file has it; null for an empty cell, `uncalculated` for a formula without a stored value. */
export type Cell = string | number | null | { uncalculated: true };

export type Placed<T> = readonly [position: number, cell: T];

/** Who takes the rows of a file as they come: the labels first, and below them what stands in the columns that these ask for. */
export interface Rows {
  /** The texts in row 1. */
  labels: (cells: Iterable<Placed<string>>) => void;
  /** Whether what stands there is wanted. Asked once the labels are told. */
  reads: (position: number) => boolean;
  /** A row that has anything in it, by its number as people count them, and its cells that are wanted. False when no more rows are. */
  row: (row: number, cells: Iterable<Placed<Cell>>) => boolean;
}
