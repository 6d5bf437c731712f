import type { ColumnOf } from '../labels.js';
import type { Rows } from '../rows.js';
import { Unreadable } from '../unreadable.js';

const DELIMITERS = [',', ';', '\t'] as const;
/** Characters of the file that are searched for its delimiter. */
const HEAD = 64 * 1024;
/** Maximum characters of a row. */
export const MAX_RECORD = 128 * 1024;

/** Options of csv-parse; `info` adds the counts to each record. */
export const CSV_OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: MAX_RECORD,
  info: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
};

/** Counts of csv-parse so far. */
export interface Counts {
  records: number;
  empty_lines: number;
}

/** A record of csv-parse with these options. */
export interface CsvRecord {
  record: string[];
  info: Counts;
}

/** Row number of the last record as users count rows: empty rows count, line breaks in a quoted cell do not. */
export const rowOf = ({ records, empty_lines: empty }: Counts): number => records + empty;

// Spreadsheet programs in East Asian settings treat full-width signs like narrow ones. A program that splits lines at another character
// than the comma, or ignores quotes, starts a cell after that character.
const FORMULA = /(?<![^;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g;
const GUARD = /(^|[;\t\r\n])'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^'(?=[\t\r])/g;

/** Inserts a quote before each place where a spreadsheet program could recognize a formula, even if the program splits the cell. */
export const guardFormulas = (text: string): string => text.replaceAll(FORMULA, "'");

/** Removes the quotes of `guardFormulas`. */
export const unguardFormulas = (cell: string): string => cell.replaceAll(GUARD, '$1');

/** Doubles quotes in a text that looks guarded, so that `unguardFormulas` leaves it unchanged. */
export const escapeGuards = (text: string): string => text.replaceAll(GUARD, "$1''");

/** Forwards CSV records as rows. */
export class CsvRows {
  /** Positions of the columns to read. */
  private positions: number[] = [];
  private labels = 0;

  constructor(
    private readonly rows: Rows,
    private readonly isGuessed: boolean,
  ) {}

  /**
   * Returns false when no more records are needed. Throws Unreadable for a row with more cells than labels (RFC 4180: all rows have the
   * same number): a separator in an unquoted value has shifted its cells. Extra empty cells, as spreadsheet programs write, are allowed.
   * Without known labels no row is too wide: the missing columns are reported instead.
   */
  take({ record, info }: CsvRecord): boolean {
    const row = rowOf(info);
    if (row === 1) {
      this.labels = record.length;
      this.rows.labels(record.map((label, position) => [position, unguardFormulas(label)]));
      this.positions = [...record.keys()].filter((position) => this.rows.reads(position));
      return true;
    }
    if (record.every((cell) => cell.trim() === '')) return true;
    const isWide = record.slice(this.labels).some((cell) => cell.trim() !== '');
    if (isWide && this.positions.length > 0) throw new Unreadable('wideRow', row);
    const cells = this.positions.map((position) => [position, unguardFormulas(record[position] ?? '')] as const);
    return this.rows.row(row, cells);
  }

  /** Throws Unreadable if the encoding was guessed and no label is known: then the file can be anything but a CSV. */
  end(): void {
    if (this.isGuessed && this.positions.length === 0) throw new Unreadable('notCsv');
  }
}

/** Tracks the length of lines including separators, which the parser does not count. */
export class LineLength {
  private length = 0;

  /** Adds a slice. Returns whether the text is now in a line that is too long for a row. */
  isTooLongWith(slice: string): boolean {
    const end = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf('\r'));
    this.length = slice.length - 1 - end + (end < 0 ? this.length : 0);
    return this.length > MAX_RECORD;
  }
}

/** The delimiter that results in the most known labels; a comma if none does. `labelsOf` parses the first record or throws. */
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

/** Converts an error of csv-parse. */
export function unreadableCsv({ code, ...read }: { code: string } & Partial<Counts>): Unreadable {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new Unreadable('openQuote', rowAfter(read));
  return code === 'CSV_MAX_RECORD_SIZE' ? longRow(read) : new Unreadable('notCsv');
}

/** Error for the row after the ones read so far, which is too long. */
export const longRow = (read: Partial<Counts>): Unreadable => new Unreadable('longRow', rowAfter(read));

const rowAfter = ({ records = 0, empty_lines = 0 }: Partial<Counts>): number => rowOf({ records, empty_lines }) + 1;
