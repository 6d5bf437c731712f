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

/** Characters that are parsed without a break, which takes some milliseconds for the worst file. */
const SLICE = 2 * 1024;
/** Maximum records, including rows of separators only between others. */
const MAX_RECORDS = 20_000;

/** Returns the table in a CSV file. Throws BAD_REQUEST if the file is not a CSV. */
export async function tableOfCsv(bytes: Buffer, saysUtf8: boolean, queue: SerialQueue): Promise<ImportTable> {
  const table = new TableBuilder();
  let delimiter: string;
  try {
    const { text, isGuessed } = textOf(bytes, saysUtf8);
    delimiter = delimiterOf(text, columnOf, labelsOf);
    const records = new Records(table, isGuessed, delimiter);
    const end = endOfValues(text, delimiter);
    for (let from = 0; from < end && !records.areEnough; from += SLICE) {
      await queue.run(() => records.read(text.slice(from, from + SLICE)));
    }
    await records.readRest();
  } catch (error) {
    throw error instanceof Unreadable ? refusalOf(error) : error;
  }
  return table.done(delimiter === ',');
}

/** The end of the last slice with more than separators: spreadsheet programs leave rows of separators below the last row. */
function endOfValues(text: string, delimiter: string): number {
  const separators = new RegExp(`^[${delimiter}\r\n]*$`);
  let end = text.length;
  while (end > 0 && separators.test(text.slice(Math.max(end - SLICE, 0), end))) end -= SLICE;
  return end;
}

const labelsOf = (head: string, delimiter: string): string[] | undefined =>
  parseAtOnce(head, { ...CSV_OPTIONS, info: false, delimiter, to: 1 })[0];

/** The records of a text that arrives in slices. */
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
    // The error is thrown when the rest is read.
    this.parser.on('error', () => undefined);
  }

  /** Parses a slice synchronously and drains the parser at once: an event for each record would take longer than the record. */
  read(slice: string): void {
    if (this.lines.isTooLongWith(slice)) throw longRow(this.parser.info);
    this.parser.write(slice);
    for (let record = this.next(); record && !this.areEnough; record = this.next()) this.take(record);
    if (this.parser.destroyed) this.areEnough = true;
  }

  /** Reads the records that had to wait for the end, and throws the error of an earlier slice. */
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
