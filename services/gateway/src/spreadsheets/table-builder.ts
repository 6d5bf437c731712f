import {
  COLUMN_LABELS,
  IMPORT_COLUMNS,
  type ImportCell,
  type ImportColumn,
  type ImportTable,
  MAX_IMPORT_ROWS,
} from '@po/contracts';
import { type Placed, type Rows, areDecimalPointsAmbiguous, columnsBy } from '@po/spreadsheets';

/** Returns the column of a label; undefined for a column that is ignored. */
export const columnOf = columnsBy<ImportColumn>(
  Object.fromEntries(IMPORT_COLUMNS.map((column) => [column, Object.values(COLUMN_LABELS[column])])) as Record<
    ImportColumn,
    string[]
  >,
);

/** Maximum characters of a text, more than any valid value has: the longest is a row ID. */
const MAX_TEXT_LENGTH = 40;

/** Cuts a text, so that no file becomes a much larger request. A text longer than any valid value stays too long to be one. */
const clipped = (text: string): string =>
  text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…` : text;

/** Builds the table of an import from rows as they arrive. */
export class TableBuilder implements Rows {
  private readonly read = new Map<number, ImportColumn>();
  private readonly table: ImportTable = { columns: {}, repeated: [], rows: [], tooMany: null };

  /** Reads the cells of row 1. */
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

  /** Adds a row that is not empty, with its cells in known columns. False if there are too many rows, so that no more are needed. */
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

  /** Marks the rows from this one on as too many. Returns true, because no more are needed. */
  endAt(row: number): true {
    this.table.tooMany = row;
    return true;
  }

  /** Returns the table. */
  done(separatesByCommas: boolean): ImportTable {
    const prices = this.table.rows.map(({ vendorReplyUnitPrice }) => vendorReplyUnitPrice);
    const texts = prices.filter((price) => typeof price === 'string');
    const table = { ...this.table, repeated: [...new Set(this.table.repeated)] };
    // Left out if false, so that other versions of the order service accept the table.
    return areDecimalPointsAmbiguous(texts, separatesByCommas) ? { ...table, unclearPoints: true } : table;
  }
}

const textCell = (text: string): string | null => clipped(text.trim().toWellFormed()) || null;
