import {
  COLUMN_LABELS,
  IMPORT_COLUMNS,
  type ImportCell,
  type ImportColumn,
  type ImportTable,
  MAX_CELL_LENGTH,
  MAX_IMPORT_ROWS,
} from '@po/contracts';
import { type Placed, type Rows, arePointsUnclear, columnsBy } from '@po/spreadsheets';

/** The column that a label names; undefined for a column that is read over. */
export const columnOf = columnsBy<ImportColumn>(
  Object.fromEntries(IMPORT_COLUMNS.map((column) => [column, Object.values(COLUMN_LABELS[column])])) as Record<
    ImportColumn,
    string[]
  >,
);

/** A text as a cell of the table: what is longer than any value may be stays too long to be one. */
const clipped = (text: string): string =>
  text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1).toWellFormed()}…` : text;

/** Makes the table of an import out of rows as they come. */
export class TableBuilder implements Rows {
  private readonly read = new Map<number, ImportColumn>();
  private readonly table: ImportTable = { columns: {}, repeated: [], rows: [], tooMany: null };

  /** Takes the cells of row 1. */
  labels(cells: Iterable<Placed<string>>): void {
    const { columns, repeated } = this.table;
    for (const [position, label] of cells) {
      const column = columnOf(label);
      if (column === undefined) continue;
      if (columns[column] !== undefined) repeated.push(column);
      columns[column] = clipped(label.trim().toWellFormed());
      this.read.set(position, column);
    }
  }

  reads(position: number): boolean {
    return this.read.has(position);
  }

  /** Takes a row that is not empty, of its cells those that are read. False when there are too many: no more is needed. */
  row(row: number, cells: Iterable<Placed<ImportCell>>): boolean {
    const { rows } = this.table;
    if (rows.length === MAX_IMPORT_ROWS) return !this.endAt(row);
    const taken: ImportTable['rows'][number] = { row, rowHash: null, vendorReplyQty: null, vendorReplyUnitPrice: null };
    for (const [position, cell] of cells) {
      const column = this.read.get(position);
      if (column !== undefined) taken[column] = typeof cell === 'string' ? textCell(cell) : cell;
    }
    rows.push(taken);
    return true;
  }

  /** The rows from this one on are too many. Answers true: no more is needed. */
  endAt(row: number): true {
    this.table.tooMany = row;
    return true;
  }

  /** What was taken. */
  done(separatesByCommas: boolean): ImportTable {
    const prices = this.table.rows.map(({ vendorReplyUnitPrice }) => vendorReplyUnitPrice);
    const texts = prices.filter((price) => typeof price === 'string');
    const table = { ...this.table, repeated: [...new Set(this.table.repeated)] };
    // Left out where it is false, so that other versions of the order service know the table.
    return arePointsUnclear(texts, separatesByCommas) ? { ...table, unclearPoints: true } : table;
  }
}

const textCell = (text: string): string | null => clipped(text.trim().toWellFormed()) || null;
