import type { ImportTable } from '@po/contracts';
import { CsvError, type Info, type Options, type Parser, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { noCsv, textOf } from './csv-text.js';
import { TableBuilder, columnOf } from './table-builder.js';
import type { Turns } from './turns.js';
import { unreadable } from './unreadable.js';

const DELIMITERS = [',', ';', '\t'] as const;
/** Characters of the file that are looked at for its delimiter, and that are parsed in one go: of the worst file some milliseconds. */
const HEAD = 64 * 1024;
const SLICE = 2 * 1024;
/** Characters of a row. */
const MAX_RECORD = 128 * 1024;
/** Rows of the file with separators in them, empty as they may be: spreadsheet programs leave some below the last. */
const MAX_RECORDS = 20_000;

const OPTIONS: Options = {
  ...{ relax_column_count: true, relax_quotes: true, max_record_size: MAX_RECORD },
  ...{ record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true },
};

/** The quote that an export puts before what a spreadsheet program would take for a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/;

/** The table in a CSV file. Throws BAD_REQUEST for a file that is none. */
export async function tableOfCsv(bytes: Buffer, saysUtf8: boolean, turns: Turns): Promise<ImportTable> {
  const { text, isGuessed } = textOf(bytes, saysUtf8);
  const records = new Records(delimiterOf(text));
  const table = new TableBuilder();
  for (let from = 0; from < text.length && !records.areEnough; from += SLICE) {
    await turns.take(() => records.readInto(table, text.slice(from, from + SLICE)));
  }
  await records.readRestInto(table);
  const read = table.done();
  // In an encoding that was only guessed, a file without any label that is known is anything but a CSV.
  if (isGuessed && Object.keys(read.columns).length === 0) throw noCsv();
  return read;
}

type InfoRecord = { record: string[]; info: Info };

/** The records of a text that comes in slices. */
class Records {
  areEnough = false;
  private readonly parser: Parser;
  /** Characters since the last line break. */
  private lineLength = 0;

  constructor(delimiter: string) {
    this.parser = parse({ ...OPTIONS, info: true, delimiter });
    // What went wrong is told when the rest is read.
    this.parser.on('error', () => undefined);
  }

  /** The parser does all at once that it is given, and is emptied at once: an event for each record would take longer than the record. */
  readInto(table: TableBuilder, slice: string): void {
    // Counts separators, too, which the parser does not.
    const end = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf('\r'));
    this.lineLength = slice.length - 1 - end + (end < 0 ? this.lineLength : 0);
    if (this.lineLength > MAX_RECORD) throw tooLong(this.parser.info);
    this.parser.write(slice);
    for (let record = this.next(); record && !this.areEnough; record = this.next()) this.take(table, record);
    if (this.parser.destroyed) this.areEnough = true;
  }

  /** Takes what had to wait for the end, and throws what was wrong on the way. */
  async readRestInto(table: TableBuilder): Promise<void> {
    if (this.areEnough && !this.parser.errored) {
      this.parser.destroy();
      return;
    }
    try {
      this.parser.end();
      for await (const record of this.parser as AsyncIterable<InfoRecord>) this.take(table, record);
    } catch (error) {
      throw error instanceof CsvError ? refusalOf(error) : error;
    }
  }

  private next(): InfoRecord | null {
    return this.parser.read() as InfoRecord | null;
  }

  private take(table: TableBuilder, { record, info }: InfoRecord): void {
    const row = info.records + info.empty_lines;
    if (row === 1) table.labels(record.map((label, position) => [position, label.replace(GUARD, '')]));
    else if (info.records > MAX_RECORDS) this.areEnough = table.endAt(row);
    else if (record.some((cell) => cell.trim() !== '')) {
      const cells = table.positions.map((position) => [position, (record[position] ?? '').replace(GUARD, '')] as const);
      this.areEnough = !table.row(row, cells);
    }
  }
}

/** The delimiter by which most labels are known ones; a comma if none is. */
function delimiterOf(text: string): string {
  const head = text.slice(0, HEAD);
  const known = (delimiter: string) => labelsOf(head, delimiter).filter((label) => columnOf(label)).length;
  return DELIMITERS.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

function labelsOf(head: string, delimiter: string): string[] {
  try {
    return parseAtOnce(head, { ...OPTIONS, delimiter, to: 1 })[0] ?? [];
  } catch {
    return [];
  }
}

function refusalOf({ code, ...told }: CsvError & Partial<Counts>) {
  switch (code as string) {
    case 'CSV_QUOTE_NOT_CLOSED': {
      const row = rowAfter(told);
      return unreadable(
        `The CSV has a quoted cell in row ${row} that does not end: a quote inside of one is written twice.`,
        `CSV 第 ${row} 行有一个引号未闭合的单元格：单元格内的引号应写两次。`,
      );
    }
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(told);
    default:
      return noCsv();
  }
}

type Counts = Pick<Info, 'records' | 'empty_lines'>;

const rowAfter = ({ records = 0, empty_lines: empty = 0 }: Partial<Counts>): number => records + empty + 1;

const tooLong = (read: Partial<Counts>) =>
  unreadable(
    `Row ${rowAfter(read)} of the CSV has more than ${MAX_RECORD} characters.`,
    `CSV 第 ${rowAfter(read)} 行超过 ${MAX_RECORD} 个字符。`,
  );
