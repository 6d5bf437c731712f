import { describe, expect, it } from '@jest/globals';
import { changedRows, linesOf } from '../matrix/layout.js';
import { matrixOf, slotAt } from './size-matrix.js';
import { line } from './sample-lines.js';

describe('the matrix of an order', () => {
  it('has one column for each shared size, in the order of the source', () => {
    const { runs, width, rows } = matrixOf([
      line({ color: 'RED', sizes: { S: 1, L: 2 } }),
      line({ color: 'BLU', sizes: { XS: 3, S: 4, M: 5, L: 6, XL: 7 } }),
    ]);
    expect([runs, width]).toEqual([[['XS', 'S', 'M', 'L', 'XL']], 5]);
    expect(rows.map(({ sizes }) => sizes.map((slot) => slot?.original ?? null))).toEqual([
      [null, 1, null, 2, null],
      [3, 4, 5, 6, 7],
    ]);
  });

  it('groups line items that share sizes, and puts the groups below each other', () => {
    const { runs, width, rows } = matrixOf([
      line({ style: 'TEE', sizes: { S: 1, M: 2 } }),
      line({ style: 'JEAN', sizes: { '30': 3, '28': 4, '32': 5 } }),
      line({ style: 'POLO', sizes: { M: 6 } }),
    ]);
    expect(rows.map(({ style, run }) => [style, run])).toEqual([
      ['TEE', 0],
      ['POLO', 0],
      ['JEAN', 1],
    ]);
    expect([runs[0], runs[1]?.toSorted(), width]).toEqual([['S', 'M'], ['28', '30', '32'], 3]);
  });

  it('finds cells by row and column, the price after the sizes, and null for a size that the line item lacks', () => {
    const { rows, width, slots } = matrixOf([
      line({ sizes: { S: [1, 7, 8] }, price: 2.5, replyPrice: 3 }),
      line({ color: 'B', sizes: { S: 1, M: 2 } }),
    ]);
    const find = (row: number, column: number) => slotAt(rows, width, { row, column });
    expect(find(0, 0)).toMatchObject({ original: 1, reply: 7, agreed: 8, rowHash: 'S/RED/S', kind: 'quantity' });
    expect(find(0, 2)).toMatchObject({ original: 2.5, reply: 3, agreed: null, rowHash: 'S/RED/S', kind: 'price' });
    expect([find(0, 1), find(2, 0)]).toEqual([null, null]);
    expect(slots.size).toBe(5);
  });

  it('is empty for an order without lines', () => {
    expect(matrixOf([])).toEqual({ runs: [], width: 0, rows: [], slots: new Map() });
  });
});

describe('the rows of the matrix', () => {
  const { rows } = matrixOf([
    line({ style: 'A', color: 'RED', sizes: { S: 1 } }),
    line({ style: 'A', color: 'BLU', sizes: { S: [1, 2] } }),
    line({ style: 'B', sizes: { S: [1, 1] }, price: 2, agreedPrice: 3 }),
    line({ style: 'C', sizes: { '28': 1 } }),
  ]);

  it('include a total for each style with several rows, and labels above other sizes', () => {
    expect(
      linesOf(rows).map((shown) => (shown.kind === 'row' ? `${shown.index} ${shown.row.style}` : shown.kind)),
    ).toEqual(['0 A', '1 A', 'total', '2 B', 'sizes', '3 C']);
  });

  it('include no style total if there is one style, because it equals the order total', () => {
    expect(linesOf(rows.slice(0, 2)).map(({ kind }) => kind)).toEqual(['row', 'row']);
  });

  it('count as changed if they are unsaved or differ from the original or the agreed value', () => {
    const edits = new Map([['quantity:C/RED/28', { typed: 5, original: 1, reply: null }]]);
    expect(changedRows(rows, new Map()).map(({ style, color }) => style + color)).toEqual(['ABLU', 'BRED']);
    expect(changedRows(rows, edits).map(({ style }) => style)).toEqual(['A', 'B', 'C']);
  });

  it('have no agreed price if their sizes differ in price, because a mean also changes with the quantities', () => {
    // S costs 1, M costs 3.
    const item = line({ sizes: { S: [10, null, 10], M: [10, 30, 30] }, price: 2, agreedPrice: 2.5 });
    const [row] = matrixOf([{ ...item, unitPrice: 2.5, originalPricesDiffer: true }]).rows;
    expect(row?.price.agreed).toBeNull();
  });
});
