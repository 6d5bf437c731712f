import { describe, expect, it } from '@jest/globals';
import { type OrderImport, kindOf, needsCheck } from './order-import.js';
import { type ChosenFile, orderImportsOf } from './order-imports.js';

type Row = [row: number, poNumber: string, rowHash: string, qty: string];
const WHOLE = new Blob(['the file as it was chosen']);

const fileOf = (...rows: Row[]) => fileWith(['Row ID', 'Reply Qty'], ...rows);
const fileWith = (labels: string[], ...rows: [row: number, poNumber: string, ...cells: string[]][]): ChosenFile => ({
  name: 'lines.xlsx',
  content: WHOLE,
  format: 'xlsx',
  sheet: {
    labels,
    hasRowIds: true,
    rows: rows.map(([row, poNumber, ...cells]) => ({ row, poNumber, cells })),
  },
});
const split = (file: ChosenFile, wanted: string | null = null) => {
  let keys = 0;
  return orderImportsOf(file, wanted, () => `key ${(keys += 1)}`);
};
const statesOf = (parts: readonly OrderImport[]) =>
  parts.map((part) => [part.poRef, part.rowIds.join(), kindOf(part), needsCheck(part)]);
const MANY: Row[] = [
  [2, 'PO-1', 'a', '1'],
  [3, 'PO-2', 'b', ''],
  [4, 'PO-1', 'c', ''],
  [5, 'PO 3', 'd', '1'],
  [7, '', 'e', '1'],
];

describe('an import file', () => {
  it.each([
    ['with one order', fileOf([2, 'PO-1', 'a', '1'], [3, '', 'b', '']), null],
    ['with only the wanted order', fileOf([2, 'PO-1', 'a', '1'], [3, '', 'b', '']), 'PO-1'],
    ['without PO numbers, for the wanted order', fileOf([2, '', 'a', '1'], [3, '', 'b', '']), 'PO-1'],
  ])('%s is sent unchanged', (_what, file, wanted) => {
    const { parts, ...rest } = split(file, wanted);
    expect(parts).toMatchObject([{ poRef: 'PO-1', rowIds: ['a', 'b'], replies: null, key: 'key 1' }]);
    expect(parts[0]?.file()).toEqual({ content: WHOLE, format: 'xlsx' });
    expect(rest).toEqual({ leftOut: [], unnamed: [], needsOrder: false });
  });

  it('without PO numbers needs an order from the user', () => {
    expect(split(fileOf([2, '', 'a', '1']))).toMatchObject({ parts: [], needsOrder: true });
  });

  it('with several orders is split by order, and orders without changes are not sent', async () => {
    const { parts, leftOut, unnamed } = split(fileOf(...MANY));
    expect(statesOf(parts)).toEqual([
      ['PO-1', 'a,c', 'waiting', true],
      ['PO-2', 'b', 'same', false],
      ['PO 3', 'd', 'refused', false],
    ]);
    expect([leftOut, unnamed]).toEqual([[], [7]]);
    const file = parts[0]?.file();
    expect(file?.format).toBe('csv');
    expect(await file?.content.text()).toBe('Row ID,Reply Qty\na,1\n\nc,\n');
    expect(new Set(parts.map(({ key }) => key)).size).toBe(3);
  });

  it.each([
    ['without a column of replies', ['Row ID'], ['a'], ['b']],
    ['with a repeated column', ['Row ID', 'Reply Qty', 'Reply Qty'], ['a', '', '1'], ['b', '', '']],
  ])('with several orders is sent even %s, because the API reports the error', (_what, labels, first, second) => {
    const { parts } = split(fileWith(labels, [2, 'PO-1', ...first], [3, 'PO-2', ...second]));
    expect(parts.map((part) => [part.poRef, kindOf(part), part.replies])).toEqual([
      ['PO-1', 'waiting', null],
      ['PO-2', 'waiting', null],
    ]);
  });

  it('leaves out orders other than the wanted one, even if the wanted one is missing', () => {
    const wanted = split(fileOf(...MANY), 'PO-1');
    expect([statesOf(wanted.parts), wanted.leftOut]).toEqual([
      [['PO-1', 'a,c', 'waiting', true]],
      [
        { poRef: 'PO-2', rows: 1 },
        { poRef: 'PO 3', rows: 1 },
      ],
    ]);
    expect(split(fileOf([2, 'PO-1', 'a', '1']), 'PO-9')).toMatchObject({
      parts: [],
      needsOrder: false,
      leftOut: [{ poRef: 'PO-1', rows: 1 }],
    });
  });
});
