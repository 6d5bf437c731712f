import { describe, expect, it } from '@jest/globals';
import { type ImportError, type ImportTable, ProblemError } from '@po/contracts';
import { type ImportCell, importTable } from '../../fixtures/import-table.js';
import fc from 'fast-check';
import { newOrder } from '../../fixtures/orders.js';
import { applyLinesPatch } from '../edits.js';
import { linesOfImport, repliesChanged } from './import-lines.js';
import { moneyToNumber } from '../money.js';
import type { Order } from '../order.js';

const COLUMNS = { rowHash: 'Row ID', vendorReplyQty: '回复数量', vendorReplyUnitPrice: 'reply price' };

const table = (
  rows: [rowHash: ImportCell, qty: ImportCell, price: ImportCell][],
  changes: Partial<ImportTable> = {},
): ImportTable => ({ ...importTable(COLUMNS, rows), ...changes });

const order = newOrder();
const [navyS, navyM, navyL, red] = order.lines.map(({ rowHash }) => rowHash) as [string, string, string, string];
const replied = applyLinesPatch(order, [
  { rowHash: navyS, vendorReplyQty: 7, vendorReplyUnitPrice: 11 },
  { rowHash: red, vendorReplyQty: 0 },
]);

const changesOf = (before: Order, rows: Parameters<typeof table>[0]) =>
  repliesChanged(before, applyLinesPatch(before, linesOfImport(before, table(rows)))).map(
    ({ rowHash, field, from, to }) => [rowHash, field, from, to],
  );

/** The errors of a refused file; empty if the file is accepted. */
function refusalOf(before: Order, file: ImportTable): ImportError[] {
  try {
    linesOfImport(before, file);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'IMPORT_INVALID') throw error;
    return error.members.errors as ImportError[];
  }
}

const errorsOf = (before: Order, file: ImportTable) =>
  refusalOf(before, file).map(({ row, column, code }) => [row, column, code]);

describe('an import file', () => {
  it('changes values that differ from the stored reply, and leaves empty or equal values', () => {
    expect(
      changesOf(replied, [
        [navyS, '7', '11.00'],
        [navyM, 21, null],
        [` ${navyL.toUpperCase()} `, '', ' '],
        [red, 'clear', '清除'],
      ]),
    ).toEqual([
      [navyM, 'vendorReplyQty', null, 21],
      [red, 'vendorReplyQty', 0, null],
    ]);
    expect(linesOfImport(order, table([]))).toEqual([]);
  });

  it('with ambiguous points is refused for a price with a point before three digits', () => {
    const file = (price: ImportCell, unclearPoints?: true) => table([[navyS, null, price]], { unclearPoints });
    expect(refusalOf(replied, file('1.250', true))).toEqual([
      {
        row: 2,
        column: 'reply price',
        code: 'INVALID_VALUE',
        message: expect.stringContaining('such as 1.2500'),
        messageZh: expect.stringContaining('1.2500'),
      },
    ]);
    for (const [price, expected] of [
      ['0.125', 0.125],
      ['1.25', 1.25],
      ['1.2500', 1.25],
      ['1,25', 1.25],
      [1.125, 1.125],
    ]) {
      expect(linesOfImport(replied, file(price!, true))).toMatchObject([{ vendorReplyUnitPrice: expected }]);
    }
    expect(linesOfImport(replied, file('1.125'))).toMatchObject([{ vendorReplyUnitPrice: 1.125 }]);
  });

  it('changes the price of a whole item by one changed line', () => {
    const prices = [
      [navyS, 'vendorReplyUnitPrice', 11, 12],
      [navyM, 'vendorReplyUnitPrice', 11, 12],
      [navyL, 'vendorReplyUnitPrice', 11, 12],
    ];
    expect(
      changesOf(replied, [
        [navyM, null, 12],
        [navyS, null, 11],
      ]),
    ).toEqual(prices);
    expect(
      changesOf(replied, [
        [navyM, null, 12],
        [navyL, null, '12.0'],
        [navyS, null, ''],
      ]),
    ).toEqual(prices);
  });

  it('can give a line added later the price of its item', () => {
    const lines = replied.lines.map((line) =>
      line.rowHash === navyL ? { ...line, price: { ...line.price, reply: null } } : line,
    );
    const joined = { ...replied, lines };
    expect(
      changesOf(joined, [
        [navyS, 7, 11],
        [navyL, null, null],
      ]),
    ).toEqual([]);
    expect(
      changesOf(joined, [
        [navyS, 7, 11],
        [navyL, null, 11],
      ]),
    ).toEqual([[navyL, 'vendorReplyUnitPrice', null, 11]]);
  });

  it('is refused with all its errors, each with its row and column', () => {
    const file = table([
      ['0'.repeat(32), 1, null],
      [navyS, 'x', -1],
      [navyS, 1, null],
      [navyM, null, 12],
      [navyL, 0.5, 13],
      [null, 5, null],
      [{ uncalculated: true }, { uncalculated: true }, null],
      [null, null, null],
      [1.2e31, null, null],
    ]);
    expect(errorsOf(replied, file)).toEqual([
      [2, 'Row ID', 'UNKNOWN_ROW'],
      [3, '回复数量', 'INVALID_VALUE'],
      [3, 'reply price', 'OUT_OF_RANGE'],
      [4, 'Row ID', 'DUPLICATE_ROW'],
      [6, '回复数量', 'INVALID_VALUE'],
      [6, 'reply price', 'PRICES_DIFFER'],
      [7, 'Row ID', 'UNKNOWN_ROW'],
      [8, '回复数量', 'INVALID_VALUE'],
      [8, 'Row ID', 'INVALID_VALUE'],
      [10, 'Row ID', 'UNKNOWN_ROW'],
    ]);
  });

  it.each<[string, Partial<ImportTable>, [number, string | null, string][]]>([
    [
      'without any column',
      { columns: {} },
      [
        [1, 'Row ID', 'MISSING_COLUMN'],
        [1, 'Reply Qty', 'MISSING_COLUMN'],
      ],
    ],
    [
      'without a column of replies',
      { columns: { rowHash: 'Row ID' } },
      [
        [1, 'Reply Qty', 'MISSING_COLUMN'],
        [2, 'Row ID', 'UNKNOWN_ROW'],
      ],
    ],
    ['with two columns of Row IDs', { repeated: ['rowHash'] }, [[1, 'Row ID', 'INVALID_VALUE']]],
    [
      'with two columns of quantities, whose values are not read',
      { repeated: ['vendorReplyQty'], rows: table([['unknown', 'x', 1]]).rows },
      [
        [1, '回复数量', 'INVALID_VALUE'],
        [2, 'Row ID', 'UNKNOWN_ROW'],
      ],
    ],
    [
      'with too many rows',
      { tooMany: 5002 },
      [
        [5002, null, 'TOO_MANY_ROWS'],
        [2, 'Row ID', 'UNKNOWN_ROW'],
      ],
    ],
  ])('is refused %s', (_what, changes, expected) => {
    expect(errorsOf(order, table([['unknown', 1, null]], changes))).toEqual(expected);
  });

  it('is refused with a text in both languages for each error', () => {
    const file = table(
      [
        [navyS, 'x', -1],
        [navyS, 1, 1],
        [navyM, null, 2],
        [navyL, null, 3],
      ],
      { repeated: ['rowHash'] },
    );
    const errors = [
      ...refusalOf(order, file),
      ...refusalOf(order, { ...file, repeated: [] }),
      ...refusalOf(order, table([], { columns: {}, tooMany: 2 })),
    ];
    expect(errors.length).toBeGreaterThan(7);
    expect(errors.filter(({ message }) => !/^[ -~\p{Script=Han}]+$/u.test(message))).toEqual([]);
    expect(errors.filter(({ messageZh }) => !/\p{Script=Han}/u.test(messageZh))).toEqual([]);
  });

  it('is refused with at most 1,000 errors', () => {
    const rows = Array.from({ length: 1_500 }, (): [string, string, string] => ['?', 'x', '']);
    expect(errorsOf(order, table(rows))).toHaveLength(1_000);
  });

  it('is refused for a line that the source removed, and for a line of another order', () => {
    const removed = {
      ...order,
      lines: order.lines.map((line) => (line.rowHash === red ? { ...line, removed: true } : line)),
    };
    const other = newOrder({ poNumber: 'PO-2' }).lines[0]?.rowHash ?? '';
    expect(
      errorsOf(
        removed,
        table([
          [red, 1, null],
          [other, 1, null],
        ]),
      ),
    ).toEqual([
      [2, 'Row ID', 'UNKNOWN_ROW'],
      [3, 'Row ID', 'UNKNOWN_ROW'],
    ]);
  });

  const edits = fc.array(
    fc.record({
      index: fc.nat(3),
      qty: fc.constantFrom(undefined, null, 0, 5, 9_999_999),
      price: fc.constantFrom(undefined, null, 0.0001, 12.5, 9_999_999_999.9999),
    }),
    { maxLength: 8 },
  );

  /** The rows of an export of the order. */
  const exported = ({ lines }: Order): [string, number | null, number | null][] =>
    lines.map(({ rowHash, qty, price }) => [
      rowHash,
      qty.reply,
      price.reply === null ? null : moneyToNumber(price.reply),
    ]);

  it('that is an unedited export changes nothing, and an edited export changes exactly the edited values', () => {
    fc.assert(
      fc.property(edits, edits, (first, then) => {
        const apply = (before: Order, series: typeof first) =>
          series.reduce((now, { index, qty, price }) => {
            const rowHash = now.lines[index]?.rowHash ?? '';
            return applyLinesPatch(now, [{ rowHash, vendorReplyQty: qty, vendorReplyUnitPrice: price }]);
          }, before);
        const stored = apply(order, first);
        expect(changesOf(stored, exported(stored))).toEqual([]);
        const wanted = apply(stored, then);
        // In a file, "clear" removes a reply, while an empty cell changes nothing.
        const edited = exported(wanted).map(([hash, ...values]) => [hash, ...values.map((value) => value ?? 'clear')]);
        const changed = applyLinesPatch(stored, linesOfImport(stored, table(edited as never)));
        expect(exported(changed)).toEqual(exported(wanted));
        expect(repliesChanged(stored, changed)).toHaveLength(
          exported(stored)
            .flat()
            .filter((value, at) => value !== exported(wanted).flat()[at]).length,
        );
      }),
    );
  });
});
