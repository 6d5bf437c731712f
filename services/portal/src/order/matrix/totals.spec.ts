import { describe, expect, it } from '@jest/globals';
import { type Draft, EMPTY, type } from '../draft/draft.js';
import type { Typed } from '../draft/parse-input.js';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { rowStates, rowTotals, sizeTotals, sumOf, totalsBy } from './totals.js';

const { rows, slots } = matrixOf([
  line({ style: 'A', color: 'RED', sizes: { S: 10, M: [20, 25] }, price: 1.0049 }),
  line({ style: 'A', color: 'BLU', sizes: { S: 10 }, price: 2, replyPrice: 3 }),
  line({ style: 'B', color: 'RED', sizes: { M: 1 }, price: 0.1 }),
]);
const draft = (...typed: [key: string, typed: Typed][]): Draft['edits'] =>
  type(
    EMPTY,
    typed.map(([key, value]) => {
      const slot = slots.get(key);
      if (!slot) throw new Error(key);
      return [slot, value] as const;
    }),
  ).edits;
const totals = (index: number, edits = EMPTY.edits) => {
  const row = rows[index];
  if (!row) throw new Error(`no row ${index}`);
  return rowTotals(row, edits);
};

describe('totals', () => {
  it('of a row come from the API if nothing is typed', () => {
    expect(totals(0)).toMatchObject({ quantity: 35, originalQuantity: 30, amount: 35.17, originalAmount: 30.15 });
  });

  it('include typed values, rounded half up, and ignore invalid entries', () => {
    const price = rows[0]?.price.key ?? '';
    expect(totals(0, draft(['quantity:A/RED/S', 0], ['quantity:A/RED/M', null]))).toMatchObject({
      quantity: 20,
      amount: 20.1,
    });
    expect(totals(0, draft([price, 1.0001], ['quantity:A/RED/S', 25]))).toMatchObject({ quantity: 50, amount: 50.01 });
    expect(totals(0, draft(['quantity:A/RED/S', 'x']))).toMatchObject({ quantity: 35, amount: 35.17 });
  });

  it('are exact for large numbers', () => {
    const [row] = matrixOf([line({ sizes: { S: 1 }, price: 9_999_999.9999 })]).rows;
    if (!row?.sizes[0]) throw new Error('no row');
    const { edits } = type(EMPTY, [[row.sizes[0], 1_000_000]]);
    expect(rowTotals(row, edits).amount).toBe(9_999_999_999_900);
  });

  it('are approximate if sizes differ in price, until the line item has one price', () => {
    // S costs 1, M costs 3.
    const [row] = matrixOf([{ ...line({ sizes: { S: 1, M: 1 }, price: 2 }), originalPricesDiffer: true }]).rows;
    if (!row?.sizes[0]) throw new Error('no row');
    expect(rowTotals(row, new Map())).toMatchObject({ amount: 4, rough: false });
    const { edits } = type(EMPTY, [[row.sizes[0], 2]]);
    expect(rowTotals(row, edits)).toMatchObject({ amount: 6, rough: true });
    // Setting the mean as the price of all sizes is a change too.
    expect(rowTotals(row, type({ ...EMPTY, edits }, [[row.price, 2]]).edits)).toMatchObject({
      amount: 6,
      rough: false,
    });
    expect(rowTotals(row, type({ ...EMPTY, edits }, [[row.price, 4]]).edits)).toMatchObject({
      amount: 12,
      rough: false,
    });
  });

  it('use the mean of the present prices if sizes differ in price', () => {
    // S costs 1, M costs 100, and the vendor delivers no M.
    const item = line({ sizes: { S: 10, M: [10, 0] }, price: 50.5 });
    const [row] = matrixOf([{ ...item, unitPrice: 1, originalPricesDiffer: true }]).rows;
    if (!row?.sizes[0]) throw new Error('no row');
    const { edits } = type(EMPTY, [[row.sizes[0], 11]]);
    expect(rowTotals(row, edits)).toMatchObject({ amount: 11, rough: true });
    expect(rowTotals(row, type({ ...EMPTY, edits }, [[row.price, 'x']]).edits).amount).toBe(11);
  });

  it('are recomputed only for the row that was edited', () => {
    const states = rowStates(rows);
    const [first, second] = [states(EMPTY.edits), states(draft(['quantity:A/RED/S', 1]))];
    expect(rows.map(({ key }) => first.get(key) === second.get(key))).toEqual([false, true, true]);
    expect(rows.map(({ key }) => second.get(key)?.edits.size)).toEqual([1, 0, 0]);
    expect([...states(EMPTY.edits).values()]).toEqual([...first.values()]);
  });

  it('are computed by style, by size and for the whole order', () => {
    const byStyle = totalsBy(
      rows,
      ({ style }) => style,
      (row) => rowTotals(row, new Map()),
    );
    expect([...byStyle].map(([name, sum]) => [name, sum.quantity, sum.amount])).toEqual([
      ['A', 45, 65.17],
      ['B', 1, 0.1],
    ]);
    expect(sizeTotals(rows, 3, draft(['quantity:B/RED/M', 7]))).toEqual([20, 32, null]);
    expect(sumOf(rows.map((row) => rowTotals(row, new Map())))).toMatchObject({ quantity: 46, amount: 65.27 });
  });
});
