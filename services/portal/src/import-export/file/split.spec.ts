import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSheet } from './read-sheet.js';
import type { Sheet } from './sheet.js';
import { csvOf, ordersIn } from './split.js';

const sheet = (...rows: [row: number, poNumber: string, ...cells: string[]][]): Sheet => ({
  labels: ['Row ID', 'Reply Qty'],
  hasRowIds: true,
  rows: rows.map(([row, poNumber, ...cells]) => ({ row, poNumber, cells })),
});
const read = (text: string) => readSheet(new TextEncoder().encode(text), 'csv');

describe('a file of several orders', () => {
  it('is split into the rows of each order', () => {
    const all = sheet([2, 'A', 'a1', ''], [3, 'B', 'b1', '1'], [5, 'A', 'a2', ''], [6, '', 'x', '1']);
    const orders = ordersIn(all);
    expect(orders.map(({ poRef, rows }) => [poRef, rows.map(({ row }) => row)])).toEqual([
      ['A', [2, 5]],
      ['B', [3]],
      ['', [6]],
    ]);
    expect(csvOf(all, orders[0]?.rows ?? [])).toBe('Row ID,Reply Qty\na1,\n\n\na2,\n');
  });

  it('keeps ambiguous points in prices ambiguous', async () => {
    const csvs = async (file: Uint8Array, kind: 'csv' | 'xlsx' = 'csv') => {
      const answer = await readSheet(file, kind);
      return 'sheet' in answer ? ordersIn(answer.sheet).map(({ rows }) => csvOf(answer.sheet, rows)) : answer;
    };
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(await csvs(bytes('PO Number,Row ID,Reply Price\nA,a,1.125\nB,b,12.5\n'))).toEqual([
      'Row ID,Reply Price\na,1.125\n',
      'Row ID,Reply Price\n\nb,12.5\n',
    ]);
    const unclear = ['Row ID;Reply Price\na;1.125\n', 'Row ID;Reply Price\n\nb;"12,5"\n'];
    expect(await csvs(bytes('PO Number;Row ID;Reply Price\nA;a;1.125\nB;b;12,5\n'))).toEqual(unclear);
    expect(await csvs(bytes('PO Number,Row ID,Reply Price\nA,a,1.125\nB,b,"12,5"\n'))).toEqual(unclear);
  });

  it('keeps the number and the cells of every row', async () => {
    const cells = fc
      .string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', ';', '=', '.') })
      .map((text) => text.trim());
    const rows = fc.uniqueArray(
      fc.record({ row: fc.integer({ min: 2, max: 60 }), id: fc.stringMatching(/^[a-f]{1,4}$/), cells }),
      {
        selector: ({ row }) => row,
      },
    );
    await fc.assert(
      fc.asyncProperty(rows, async (some) => {
        const all = sheet(
          ...some
            .toSorted((a, b) => a.row - b.row)
            .map(({ row, id, cells: reply }) => [row, '', id, reply] as [number, string, string, string]),
        );
        expect(await read(csvOf(all, all.rows))).toEqual({ sheet: all });
      }),
    );
  });
});
