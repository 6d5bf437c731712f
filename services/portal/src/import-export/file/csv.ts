import {
  CSV_OPTIONS,
  type CsvRecord,
  CsvRows,
  LineLength,
  type Rows,
  delimiterOf,
  longRow,
  textOf,
} from '@po/spreadsheets';
import { parse } from 'csv-parse/browser/esm/sync';
import { columnOf } from './columns.js';

/** Characters per step of the line-length check, as in the gateway. */
const SLICE = 2 * 1024;

/** Passes the rows of a CSV file to `rows`. Returns the delimiter: comma, semicolon or tab. Throws Unreadable or the parser's errors. */
export function readCsv(bytes: Uint8Array, rows: Rows): string {
  const { text, isGuessed } = textOf(bytes, false);
  const lines = new LineLength();
  for (let from = 0; from < text.length; from += SLICE) {
    if (lines.isTooLongWith(text.slice(from, from + SLICE))) throw longRow({});
  }
  const records = new CsvRows(rows, isGuessed);
  const delimiter = delimiterOf(text, columnOf, labelsOf);
  parse(text, {
    ...CSV_OPTIONS,
    delimiter,
    // Returning nothing makes the parser drop the record.
    on_record: (record: unknown) => void records.take(record as CsvRecord),
  });
  records.end();
  return delimiter;
}

const labelsOf = (head: string, delimiter: string): string[] | undefined =>
  parse(head, { ...CSV_OPTIONS, info: false, delimiter, to: 1 })[0];
