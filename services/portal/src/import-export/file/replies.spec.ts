import { describe, expect, it } from '@jest/globals';
import { asksForChange, asksNothing, repliesIn } from './replies.js';

const ITEMS = [
  {
    vendorReplyUnitPrice: 12.5,
    sizes: { S: { rowHash: 'a', vendorReplyQty: 7 }, M: { rowHash: 'b', vendorReplyQty: null } },
  },
];
const replies = (...cells: [string, string, string][]) =>
  repliesIn(
    { labels: ['Reply Price', '行标识', 'Reply Qty'], hasRowIds: true, rows: [] },
    cells.map(([rowHash, qty, price], at) => ({ row: at + 2, poNumber: '', cells: [price, rowHash, qty] })),
  );

describe('what rows say', () => {
  it('is found in whatever order the columns are', () => {
    expect(replies(['A', '5', ''])).toEqual([{ rowHash: 'a', vendorReplyQty: '5', vendorReplyUnitPrice: '' }]);
    expect(replies(['a', '', ''], ['a', '', '1']).map(asksNothing)).toEqual([true, false]);
  });

  it.each([
    ['nothing', 'b', '', '', false],
    ['what is stored', 'a', '7', '12,50', false],
    ['another quantity', 'a', '8', '12.5', true],
    ['another price', 'a', '', '13', true],
    ['a first quantity', 'b', '0', '', true],
    ['that a reply is cleared', 'a', 'clear', '', true],
    ['something of a row that the order does not have', 'x', '1', '', true],
  ])('asks for a change where it is another than the order has: %s', (_what, rowHash, qty, price, expected) => {
    expect(asksForChange(replies(['b', '', ''], [rowHash, qty, price]), ITEMS)).toBe(expected);
  });
});
