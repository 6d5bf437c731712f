import { type Cell, type Placed, type Rows, arePointsUnclear } from '@po/spreadsheets';
import { columnOf } from './columns.js';
import { UnreadableFile } from './unreadable.js';

/** Some times what an export has; each is kept in memory. */
const MAX_ROWS = 150_000;
/** Stands for a formula without a stored value. The API takes no such text for a value, and says so of its cell. */
const UNCALCULATED = '=?';

export interface Sheet {
  /** Of the columns that the API reads, as the file writes them. */
  labels: string[];
  /** Whether it has the column that tells which rows are meant. */
  hasRowIds: boolean;
  /** The rows with anything in those columns, by their numbers as people count them; `cells` are in the order of `labels`. */
  rows: { row: number; poNumber: string; cells: string[] }[];
  /** Points in its prices may separate thousands, as the API finds, too, unless commas separate the cells. */
  unclearPoints?: true;
}

/** Takes the rows of a file that are of several orders, maybe. */
export class SheetBuilder implements Rows {
  private readonly sheet: Sheet = { labels: [], hasRowIds: false, rows: [] };
  /** Where the columns stand that the API reads, and where PO numbers do. */
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
    return arePointsUnclear(prices, separatesByCommas) ? { ...this.sheet, unclearPoints: true } : this.sheet;
  }
}

/** Numbers as the API makes texts of them. */
const textOf = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' ? UNCALCULATED : String(cell ?? '').trim();

/** The point of a workbook's number is decimal. Before three digits it would not be clear in a text: there are four. */
const priceOf = (cell: Cell): string =>
  typeof cell === 'number' ? textOf(cell).replace(/\.\d{3}$/, '$&0') : textOf(cell);

/** A PO number as the API writes it, whatever people and input methods made of it. */
export const canonical = (poNumber: string): string => poNumber.normalize('NFKC').trim().toUpperCase();
