import {
  COLUMN_LABELS,
  type ImportCell,
  type ImportChange,
  type ImportColumn,
  type ImportError,
  type ImportTable,
  LINE_FIELDS,
  type LinePatch,
  MAX_IMPORT_ERRORS,
  MAX_IMPORT_ROWS,
  ProblemError,
} from '@po/contracts';
import { type ReadCell, UNCALCULATED, priceIn, qtyIn, textIn } from './import-values.js';
import { moneyToNumber } from '../money.js';
import type { Line, Money, Order } from '../order.js';
import { identityOf, itemKey, currentLines } from '../values.js';

type Row = ImportTable['rows'][number];
type LineField = (typeof LINE_FIELDS)[number];

/** An error: a code and a text in both languages. */
interface Fault {
  code: ImportError['code'];
  en: string;
  zh: string;
}

const NO_ROW_ID_COLUMN: Fault = {
  code: 'MISSING_COLUMN',
  en: 'the first row must have a column "Row ID" or "行标识"',
  zh: '首行必须有“行标识”或“Row ID”列',
};
const NO_REPLY_COLUMN: Fault = {
  code: 'MISSING_COLUMN',
  en: 'the first row must have a column "Reply Qty" ("回复数量") or "Reply Price" ("回复单价"), or both',
  zh: '首行必须有“回复数量”（“Reply Qty”）或“回复单价”（“Reply Price”）列，或两者都有',
};
const REPEATED_COLUMN: Fault = {
  code: 'INVALID_VALUE',
  en: 'must not be the label of two columns',
  zh: '不能有两列使用此列名',
};
const TOO_MANY_ROWS: Fault = {
  code: 'TOO_MANY_ROWS',
  en: `there may be at most ${MAX_IMPORT_ROWS} rows below the labels: split the file`,
  zh: `标题行之下最多 ${MAX_IMPORT_ROWS} 行：请拆分文件`,
};
const UNKNOWN_ROW: Fault = {
  code: 'UNKNOWN_ROW',
  en: 'is not a row of this order; if a spreadsheet program changed the Row ID, export again, preferably as .xlsx',
  zh: '不是该订单的行；如行标识被表格软件改动，请重新导出，最好导出为 .xlsx',
};

/** The refusal of a file with errors. */
export class InvalidImport extends ProblemError {
  constructor(readonly errors: ImportError[]) {
    super('IMPORT_INVALID', { errors });
  }
}

/** Edits of an import file: for each row, the values that differ from the stored reply. Throws all errors of the file, up to 1,000. */
export function linesOfImport(order: Order, table: ImportTable): LinePatch[] {
  const errors = errorsOfTable(table);
  const { columns, repeated } = table;
  const hasRowIds = columns.rowHash !== undefined && !repeated.includes('rowHash');
  const patches = hasRowIds ? new RowReader(order, table, errors).patches() : [];
  if (errors.length > 0) throw new InvalidImport(errors.slice(0, MAX_IMPORT_ERRORS));
  return patches;
}

/** Replies that differ between two states of an order with the same lines. */
export function repliesChanged(before: Order, after: Order): ImportChange[] {
  if (before === after) return [];
  const earlier = new Map(before.lines.map((line) => [line.rowHash, line]));
  return currentLines(after).flatMap((line) => {
    const known = earlier.get(line.rowHash);
    return known && known !== line ? repliesChangedIn(known, line) : [];
  });
}

function repliesChangedIn(before: Line, after: Line): ImportChange[] {
  const priceOf = ({ price: { reply } }: Line) => (reply === null ? null : moneyToNumber(reply));
  const values = [
    { field: LINE_FIELDS[0], from: before.qty.reply, to: after.qty.reply },
    { field: LINE_FIELDS[1], from: priceOf(before), to: priceOf(after) },
  ];
  return values.filter(({ from, to }) => from !== to).map((value) => ({ ...identityOf(after), ...value }));
}

function errorsOfTable({ columns, repeated, tooMany }: ImportTable): ImportError[] {
  const errors: ImportError[] = [];
  const refuse = (row: number, column: string | null, { code, en, zh }: Fault) =>
    errors.push({ row, column, code, message: en, messageZh: zh });
  if (columns.rowHash === undefined) refuse(1, COLUMN_LABELS.rowHash.en, NO_ROW_ID_COLUMN);
  if (LINE_FIELDS.every((field) => columns[field] === undefined)) {
    refuse(1, COLUMN_LABELS.vendorReplyQty.en, NO_REPLY_COLUMN);
  }
  for (const column of repeated) refuse(1, columns[column] ?? null, REPEATED_COLUMN);
  if (tooMany !== null) refuse(tooMany, null, TOO_MANY_ROWS);
  return errors;
}

/** Reads the rows of one file against one order. */
class RowReader {
  private readonly live: ReadonlyMap<string, Line>;
  private readonly seen = new Map<string, number>();
  /** The first row that changes the item's price, by item. */
  private readonly prices = new Map<string, { row: number; price: Money | null }>();

  constructor(
    order: Order,
    private readonly table: ImportTable,
    private readonly errors: ImportError[],
  ) {
    this.live = new Map(currentLines(order).map((line) => [line.rowHash, line]));
  }

  patches(): LinePatch[] {
    return this.table.rows.flatMap((row) => this.patchOf(row) ?? []);
  }

  private patchOf(row: Row): LinePatch | null {
    const qty = this.read(row, 'vendorReplyQty', qtyIn);
    const price = this.read(row, 'vendorReplyUnitPrice', (cell) => priceIn(cell, this.table.unclearPoints));
    // A row with neither Row ID nor reply is skipped, such as a note, or a total of other columns below the rows.
    const isSilent = row.rowHash === null && qty === undefined && price === undefined;
    const line = isSilent ? null : this.lineOf(row);
    if (!line) return null;
    const patch: LinePatch = { rowHash: line.rowHash };
    if (qty !== undefined && qty !== line.qty.reply) patch.vendorReplyQty = qty;
    if (price !== undefined && price !== line.price.reply) {
      this.comparePrices(row, line, price);
      patch.vendorReplyUnitPrice = price === null ? null : moneyToNumber(price);
    }
    return patch;
  }

  private read<T>(row: Row, column: LineField, valueIn: (cell: ImportCell) => ReadCell<T>): T | null | undefined {
    if (this.table.repeated.includes(column)) return undefined;
    const read = valueIn(row[column]);
    if ('value' in read) return read.value;
    this.refuse(row, column, read.fault);
    return undefined;
  }

  private lineOf(row: Row): Line | null {
    const { rowHash: id } = row;
    if (id !== null && typeof id === 'object') {
      this.refuse(row, 'rowHash', UNCALCULATED.fault);
      return null;
    }
    const line = this.live.get(textIn(id).toLowerCase());
    if (!line) {
      this.refuse(row, 'rowHash', UNKNOWN_ROW);
      return null;
    }
    const first = this.seen.get(line.rowHash);
    if (first === undefined) {
      this.seen.set(line.rowHash, row.row);
      return line;
    }
    this.refuse(row, 'rowHash', {
      code: 'DUPLICATE_ROW',
      en: `is already in row ${first}; each row may appear only once`,
      zh: `已在第 ${first} 行出现；同一行只能出现一次`,
    });
    return null;
  }

  private comparePrices(row: Row, line: Line, price: Money | null): void {
    const key = itemKey(line);
    const first = this.prices.get(key);
    if (!first) this.prices.set(key, { row: row.row, price });
    if (!first || first.price === price) return;
    const item = `${line.code} / ${line.style} / ${line.color}`;
    this.refuse(row, 'vendorReplyUnitPrice', {
      code: 'PRICES_DIFFER',
      en: `must be the same as in row ${first.row}: item ${item} has one price`,
      zh: `必须与第 ${first.row} 行相同：款色 ${item} 只能有一个单价`,
    });
  }

  private refuse({ row }: Row, column: ImportColumn, { code, en, zh }: Fault): void {
    this.errors.push({ row, column: this.table.columns[column] ?? null, code, message: en, messageZh: zh });
  }
}
