import { type Info, type Options, parse } from 'csv-parse/browser/esm/sync';
import type { Rows } from '@po/spreadsheets';
import { columnOf } from './columns.js';
import { UnreadableFile } from './unreadable.js';

const DELIMITERS = [',', ';', '\t'] as const;
/** Characters that are looked at for the delimiter. */
const HEAD = 64 * 1024;

/** As the API reads them, so that rows have the same numbers there. */
const OPTIONS: Options = {
  ...{ relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true },
  record_delimiter: ['\r\n', '\n', '\r'],
};

const BYTE_ORDER_MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Hands over the rows of a CSV, separated by commas, semicolons or tabs. Throws UnreadableFile, or as the parser does. */
export function readCsv(bytes: Uint8Array, rows: Rows): void {
  const text = textOf(bytes);
  for (const { row, cells } of recordsOf(text, { delimiter: delimiterOf(text) })) {
    if (row === 1) rows.labels(cells.entries());
    else
      rows.row(
        row,
        [...cells.entries()].filter(([position]) => rows.reads(position)),
      );
  }
}

/** By its mark, else UTF-8, else as spreadsheet programs in China and in the West save a CSV. */
function textOf(bytes: Uint8Array): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const isWide = marked !== undefined && marked !== 'utf-8';
  if (!isWide && bytes.includes(0)) throw new UnreadableFile('notCsv');
  for (const encoding of marked === undefined ? ['utf-8', 'gb18030', 'windows-1252'] : [marked]) {
    const text = decoded(bytes, encoding);
    if (text !== null) return text;
  }
  throw new UnreadableFile('notCsv');
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The one by which most labels are known; a comma if none is. */
function delimiterOf(text: string): string {
  const head = text.slice(0, HEAD);
  const known = (delimiter: string) => {
    try {
      const labels = recordsOf(head, { delimiter, to: 1 })[0]?.cells ?? [];
      return labels.filter((label) => columnOf(label)).length;
    } catch {
      return 0;
    }
  };
  return DELIMITERS.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

function recordsOf(text: string, options: Options): { row: number; cells: string[] }[] {
  const records = parse(text, { ...OPTIONS, ...options }) as unknown as { record: string[]; info: Info }[];
  return records.map(({ record, info }) => ({ row: info.records + info.empty_lines, cells: record }));
}
