import { describe, expect, it } from '@jest/globals';
import { type OrderImport, kindOf, toCheck } from './order-import.js';
import { type ChosenFile, orderImportsOf } from './order-imports.js';

type Row = [row: number, poNumber: string, rowHash: string, qty: string];
const WHOLE = new Blob(['the file as it was chosen']);

const fileOf = (...rows: Row[]): ChosenFile => ({
  name: 'lines.xlsx',
  content: WHOLE,
  format: 'xlsx',
  sheet: {
    labels: ['Row ID', 'Reply Qty'],
    hasRowIds: true,
    rows: rows.map(([row, poNumber, ...cells]) => ({ row, poNumber, cells })),
  },
});
const share = (file: ChosenFile, wanted: string | null = null) => {
  let keys = 0;
  return orderImportsOf(file, wanted, () => `key ${(keys += 1)}`);
};
const told = (parts: readonly OrderImport[]) =>
  parts.map((part) => [part.poRef, part.rows, kindOf(part), toCheck(part)]);
const MANY: Row[] = [
  [2, 'PO-1', 'a', '1'],
  [3, 'PO-2', 'b', ''],
  [4, 'PO-1', 'c', ''],
  [5, 'PO 3', 'd', '1'],
  [7, '', 'e', '1'],
];

describe('a file', () => {
  it.each([
    ['of one order', fileOf([2, 'PO-1', 'a', '1'], [3, '', 'b', '']), null],
    ['of the order that is wanted', fileOf([2, 'PO-1', 'a', '1'], [3, '', 'b', '']), 'PO-1'],
    ['that does not say its order, for the one that is wanted', fileOf([2, '', 'a', '1'], [3, '', 'b', '']), 'PO-1'],
  ])('%s goes as it is', (_what, file, wanted) => {
    const { parts, ...rest } = share(file, wanted);
    expect(parts).toMatchObject([{ poRef: 'PO-1', rows: 2, replies: null, key: 'key 1' }]);
    expect(parts[0]?.file()).toEqual({ content: WHOLE, format: 'xlsx' });
    expect(rest).toEqual({ leftOut: [], unnamed: [], needsOrder: false });
  });

  it('that does not say its order needs one', () => {
    expect(share(fileOf([2, '', 'a', '1']))).toMatchObject({ parts: [], needsOrder: true });
  });

  it('of several orders goes to each with its own rows, where they ask for anything', async () => {
    const { parts, leftOut, unnamed } = share(fileOf(...MANY));
    expect(told(parts)).toEqual([
      ['PO-1', 2, 'waiting', true],
      ['PO-2', 1, 'same', false],
      ['PO 3', 1, 'refused', false],
    ]);
    expect([leftOut, unnamed]).toEqual([[], [7]]);
    const file = parts[0]?.file();
    expect(file?.format).toBe('csv');
    expect(await file?.content.text()).toBe('Row ID,Reply Qty\na,1\n\nc,\n');
    expect(new Set(parts.map(({ key }) => key)).size).toBe(3);
  });

  it('has orders that are not wanted, and maybe not the one that is', () => {
    const wanted = share(fileOf(...MANY), 'PO-1');
    expect([told(wanted.parts), wanted.leftOut]).toEqual([
      [['PO-1', 2, 'waiting', true]],
      [
        { poRef: 'PO-2', rows: 1 },
        { poRef: 'PO 3', rows: 1 },
      ],
    ]);
    expect(share(fileOf([2, 'PO-1', 'a', '1']), 'PO-9')).toMatchObject({
      parts: [],
      needsOrder: false,
      leftOut: [{ poRef: 'PO-1', rows: 1 }],
    });
  });
});
