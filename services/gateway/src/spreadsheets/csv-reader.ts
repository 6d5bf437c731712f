import type { ImportTable } from '@po/contracts';
import {
  CSV_OPTIONS,
  type CsvRecord,
  CsvRows,
  LineLength,
  Unreadable,
  delimiterOf,
  longRow,
  rowOf,
  textOf,
  unreadableCsv,
} from '@po/spreadsheets';
import { CsvError, type Parser, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { TableBuilder, columnOf } from './table-builder.js';
import type { SerialQueue } from './serial-queue.js';
import { refusalOf } from './unreadable.js';

/** Characters of the file that are parsed in one go: of the worst file some milliseconds. */
const SLICE = 2 * 1024;
/** Rows of the file with separators in them, empty as they may be: spreadsheet programs leave some below the last. */
const MAX_RECORDS = 20_000;

/** The table in a CSV file. Throws BAD_REQUEST for a file that is none. */
export async function tableOfCsv(bytes: Buffer, saysUtf8: boolean, queue: SerialQueue): Promise<ImportTable> {
  const table = new TableBuilder();
  let delimiter: string;
  try {
    const { text, isGuessed } = textOf(bytes, saysUtf8);
    delimiter = delimiterOf(text, columnOf, labelsOf);
    const records = new Records(table, isGuessed, delimiter);
    for (let from = 0; from < text.length && !records.areEnough; from += SLICE) {
      await queue.run(() => records.read(text.slice(from, from + SLICE)));
    }
    await records.readRest();
  } catch (error) {
    throw error instanceof Unreadable ? refusalOf(error) : error;
  }
  return table.done(delimiter === ',');
}

const labelsOf = (head: string, delimiter: string): string[] | undefined =>
  parseAtOnce(head, { ...CSV_OPTIONS, info: false, delimiter, to: 1 })[0];

/** The records of a text that comes in slices. */
class Records {
  areEnough = false;
  private readonly parser: Parser;
  private readonly rows: CsvRows;
  private readonly lines = new LineLength();

  constructor(
    private readonly table: TableBuilder,
    isGuessed: boolean,
    delimiter: string,
  ) {
    this.rows = new CsvRows(table, isGuessed);
    this.parser = parse({ ...CSV_OPTIONS, delimiter });
    // What went wrong is told when the rest is read.
    this.parser.on('error', () => undefined);
  }

  /** The parser does all at once that it is given, and is emptied at once: an event for each record would take longer than the record. */
  read(slice: string): void {
    if (this.lines.isTooLongWith(slice)) throw longRow(this.parser.info);
    this.parser.write(slice);
    for (let record = this.next(); record && !this.areEnough; record = this.next()) this.take(record);
    if (this.parser.destroyed) this.areEnough = true;
  }

  /** Takes what had to wait for the end, and throws what was wrong on the way. */
  async readRest(): Promise<void> {
    if (this.areEnough && !this.parser.errored) {
      this.parser.destroy();
    } else {
      try {
        this.parser.end();
        for await (const record of this.parser as AsyncIterable<CsvRecord>) this.take(record);
      } catch (error) {
        throw error instanceof CsvError ? unreadableCsv(error) : error;
      }
    }
    this.rows.end();
  }

  private next(): CsvRecord | null {
    return this.parser.read() as CsvRecord | null;
  }

  private take(record: CsvRecord): void {
    if (record.info.records > MAX_RECORDS) this.areEnough = this.table.endAt(rowOf(record.info));
    else this.areEnough = !this.rows.take(record);
  }
}
