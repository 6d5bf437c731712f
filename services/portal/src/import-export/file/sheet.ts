import { type Cell, type Placed, type Rows, areDecimalPointsAmbiguous, priceText } from '@po/spreadsheets';
import { columnOf } from './columns.js';
import { UnreadableFile } from './unreadable.js';

/** A few times the size of an export. All rows are kept in memory. */
const MAX_ROWS = 150_000;
/** Placeholder for a formula without a stored value. The API refuses it as a value, with an error for the cell. */
const UNCALCULATED = '=?';

export interface Sheet {
  /** Labels of the columns that the API reads, as written in the file. */
  labels: string[];
  /** Whether the file has the column of row ids. */
  hasRowIds: boolean;
  /** Rows with a value in one of these columns, with one-based row numbers; `cells` are in the order of `labels`. */
  rows: { row: number; poNumber: string; cells: string[] }[];
  /** Points in prices may be thousands separators. Split files then use semicolons, from which the API draws the same conclusion. */
  unclearPoints?: true;
}

/** Collects the rows of a file, which may belong to several orders. */
export class SheetBuilder implements Rows {
  private readonly sheet: Sheet = { labels: [], hasRowIds: false, rows: [] };
  /** Positions of the columns that the API reads, and of the PO number and price. */
  private readonly read: number[] = [];
  private order: number | null = null;
  private price: number | null = null;

  labels(cells: Iterable<Placed<string>>): void {
    for (const [position, label] of cells) {
      const column = columnOf(label);
      if (column === 'poNumber') this.order ??= position;
      else if (column) {
        this.read.push(position);
        if (column === 'vendorReplyUnitPrice') this.price = position;
        this.sheet.labels.push(label.trim());
        this.sheet.hasRowIds ||= column === 'rowHash';
      }
    }
  }

  reads(position: number): boolean {
    return position === this.order || this.read.includes(position);
  }

  row(row: number, cells: Iterable<Placed<Cell>>): boolean {
    const texts = new Map<number | null, string>();
    for (const [position, cell] of cells) texts.set(position, position === this.price ? priceOf(cell) : textOf(cell));
    const taken = this.read.map((position) => texts.get(position) ?? '');
    const poNumber = canonical(texts.get(this.order) ?? '');
    if (poNumber === '' && taken.every((cell) => cell === '')) return true;
    if (this.sheet.rows.length === MAX_ROWS) throw new UnreadableFile('manyRows');
    this.sheet.rows.push({ row, poNumber, cells: taken });
    return true;
  }

  done(separatesByCommas: boolean): Sheet {
    const at = this.price === null ? -1 : this.read.indexOf(this.price);
    const prices = this.sheet.rows.map(({ cells }) => cells[at] ?? '');
    return areDecimalPointsAmbiguous(prices, separatesByCommas) ? { ...this.sheet, unclearPoints: true } : this.sheet;
  }
}

/** Formats numbers in the same way as the API. */
const textOf = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' ? UNCALCULATED : String(cell ?? '').trim();

/** In a number of a workbook the point is decimal. */
const priceOf = (cell: Cell): string => (typeof cell === 'number' ? priceText(cell) : textOf(cell));

/** A PO number in the API's form: without full-width characters and surrounding spaces, in upper case. */
export const canonical = (poNumber: string): string => poNumber.normalize('NFKC').trim().toUpperCase();
