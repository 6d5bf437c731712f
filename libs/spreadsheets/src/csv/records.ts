import type { ColumnOf } from '../labels.js';
import type { Rows } from '../rows.js';
import { Unreadable } from '../unreadable.js';

const DELIMITERS = [',', ';', '\t'] as const;
/** Characters of the file that are looked at for its delimiter. */
const HEAD = 64 * 1024;
/** Characters of a row. */
export const MAX_RECORD = 128 * 1024;

/** How csv-parse is to read a file; `info` comes with each record. */
export const CSV_OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: MAX_RECORD,
  info: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
};

/** What csv-parse has counted so far. */
export interface Counts {
  records: number;
  empty_lines: number;
}

/** A record as csv-parse gives it with these options. */
export interface CsvRecord {
  record: string[];
  info: Counts;
}

/** The number of the record that was read last, as people count rows: empty ones do, lines of a quoted cell do not. */
export const rowOf = ({ records, empty_lines: empty }: Counts): number => records + empty;

// Full-width signs count as the narrow ones for spreadsheet programs in East Asian settings. One that splits lines at another character
// than the comma, or ignores quotes, begins a cell behind it. No lookbehind: not every browser that the portal supports has it.
const FORMULA_BEGINS = /^(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/;
const FORMULA_WITHIN = /([;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const GUARD = /(^|[;\t\r\n])'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^'(?=[\t\r])/g;

/** A text with a quote before each place where a spreadsheet program would take it for a formula, also where it splits the cell. */
export const guarded = (text: string): string => text.replaceAll(FORMULA_WITHIN, "$1'").replace(FORMULA_BEGINS, "'");

/** A cell without the quotes of `guarded`. */
export const unguarded = (cell: string): string => cell.replaceAll(GUARD, '$1');

/** A text that `unguarded` leaves as it is: one that looks guarded has each of these quotes twice. */
export const escapeGuards = (text: string): string => text.replaceAll(GUARD, "$1''");

/** Hands records over as rows. */
export class CsvRows {
  /** Where the columns stand that are wanted. */
  private positions: number[] = [];
  private labels = 0;

  constructor(
    private readonly rows: Rows,
    private readonly isGuessed: boolean,
  ) {}

  /**
   * False when no more records are wanted. Throws Unreadable for a row that goes on behind the labels (RFC 4180: all have as many cells): a
   * separator in a value without quotes has moved its cells to other columns. Spreadsheet programs leave empty ones there.
   */
  take({ record, info }: CsvRecord): boolean {
    const row = rowOf(info);
    if (row === 1) {
      this.labels = record.length;
      this.rows.labels(record.map((label, position) => [position, unguarded(label)]));
      this.positions = [...record.keys()].filter((position) => this.rows.reads(position));
      return true;
    }
    if (record.every((cell) => cell.trim() === '')) return true;
    if (record.slice(this.labels).some((cell) => cell.trim() !== '')) throw new Unreadable('wideRow', row);
    const cells = this.positions.map((position) => [position, unguarded(record[position] ?? '')] as const);
    return this.rows.row(row, cells);
  }

  /** In an encoding that was only guessed, a file without any label that is known is anything but a CSV: throws Unreadable. */
  end(): void {
    if (this.isGuessed && this.positions.length === 0) throw new Unreadable('notCsv');
  }
}

/** Knows how long lines are, their separators included, which the parser does not count. */
export class LineLength {
  private length = 0;

  /** Whether with this slice the text is in a line that is too long for a row. */
  isTooLongWith(slice: string): boolean {
    const end = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf('\r'));
    this.length = slice.length - 1 - end + (end < 0 ? this.length : 0);
    return this.length > MAX_RECORD;
  }
}

/** The delimiter by which most labels are known ones; a comma if none is. `labelsOf` reads the first record, or throws. */
export function delimiterOf(
  text: string,
  columnOf: ColumnOf<string>,
  labelsOf: (head: string, delimiter: string) => string[] | undefined,
): string {
  const head = text.slice(0, HEAD);
  const known = (delimiter: string): number => {
    try {
      return (labelsOf(head, delimiter) ?? []).filter((label) => columnOf(label)).length;
    } catch {
      return 0;
    }
  };
  return DELIMITERS.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

/** What csv-parse found wrong with a file. */
export function unreadableCsv({ code, ...read }: { code: string } & Partial<Counts>): Unreadable {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new Unreadable('openQuote', rowAfter(read));
  return code === 'CSV_MAX_RECORD_SIZE' ? longRow(read) : new Unreadable('notCsv');
}

/** The row behind what was read is too long. */
export const longRow = (read: Partial<Counts>): Unreadable => new Unreadable('longRow', rowAfter(read));

const rowAfter = ({ records = 0, empty_lines = 0 }: Partial<Counts>): number => rowOf({ records, empty_lines }) + 1;
