import { describe, expect, it } from '@jest/globals';
import type { Change, OrderImport, RowError, State } from './order-import.js';
import { VIEWS, matchesView, ranked, rowsLeftOut, rowsUnchanged, shownChanges, summaryOf } from './summary.js';

const change = (rowHash: string, size: string, field: Change['field'], to: number | null): Change => ({
  rowHash,
  code: 'TS-1-NVY',
  style: 'TS-1',
  color: 'NVY',
  size,
  field,
  from: null,
  to,
});
const PRICES = ['S', 'M', 'L'].map((size) => change(`h${size}`, size, 'vendorReplyUnitPrice', 11.5));
const error = (row: number): RowError => ({ row, column: null, code: 'UNKNOWN_ROW', message: 'm', messageZh: 'z' });
const part = (poRef: string, rowIds: string, state: State): OrderImport => ({
  poRef,
  rowIds: rowIds.split(' '),
  replies: null,
  file: () => ({ content: new Blob(), format: 'csv' }),
  key: poRef,
  state,
});
const checked = (changes: readonly Change[], errors: readonly RowError[] = []): State => ({
  at: 'checked',
  hasMoved: false,
  preview: { version: 1, changes, errors },
});

const PARTS = [
  part('SAME', 'a b c d', checked([])),
  part('READY', 'hS hM hL a b', checked([...PRICES, change('hS', 'S', 'vendorReplyQty', 7)])),
  part('FAULTY', 'a b c', checked([], [error(2), error(2), error(4)])),
  part('LOCKED', 'a b', {
    at: 'refused',
    preview: null,
    refusal: { kind: 'locked', message: '', requestId: null, statusId: 200 },
  }),
  part('WAITING', 'a', { at: 'waiting' }),
];

describe('the summary of an import', () => {
  it('counts the price of a line item as one change, and each quantity as another', () => {
    expect(
      shownChanges([...PRICES, change('hS', 'S', 'vendorReplyQty', 7), change('hM', 'M', 'vendorReplyQty', 7)]).map(
        ({ field, sizes, to }) => [field, sizes.join(), to],
      ),
    ).toEqual([
      ['vendorReplyUnitPrice', 'S,M,L', 11.5],
      ['vendorReplyQty', 'S', 7],
      ['vendorReplyQty', 'M', 7],
    ]);
  });

  it('counts rows, changes, errors and orders', () => {
    expect(summaryOf(PARTS)).toEqual({
      rows: 15,
      changes: 2,
      errors: 3,
      byKind: { waiting: 1, working: 0, ready: 1, same: 1, faulty: 1, refused: 1, applied: 0 },
    });
    // All rows of SAME, and the rows of READY beyond its three sizes.
    expect(rowsUnchanged(PARTS)).toBe(4 + 2);
    // Includes the row of FAULTY without an error, because it may have a change.
    expect(rowsLeftOut(PARTS)).toBe(3 + 2);
    // The price also changes sizes that are not in the file.
    expect(rowsUnchanged([part('A', 'hS a b', checked(PRICES))])).toBe(2);
  });

  it('filters orders by view, and sorts orders with problems first', () => {
    expect(VIEWS.map((view) => PARTS.filter((one) => matchesView(view, one)).map(({ poRef }) => poRef))).toEqual([
      PARTS.map(({ poRef }) => poRef),
      ['READY'],
      ['FAULTY', 'LOCKED'],
    ]);
    expect(ranked(PARTS).map(({ poRef }) => poRef)).toEqual(['FAULTY', 'LOCKED', 'READY', 'WAITING', 'SAME']);
  });
});
