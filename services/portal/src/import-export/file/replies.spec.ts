import { describe, expect, it } from '@jest/globals';
import { hasChanges, isEmptyReply, repliesIn } from './replies.js';

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

describe('the replies of a file', () => {
  it('are found in any order of the columns', () => {
    expect(replies(['A', '5', ''])).toEqual([{ rowHash: 'a', vendorReplyQty: '5', vendorReplyUnitPrice: '' }]);
    expect(replies(['a', '', ''], ['a', '', '1']).map(isEmptyReply)).toEqual([true, false]);
  });

  it.each([
    ['an empty row', 'b', '', '', false],
    ['the stored values', 'a', '7', '12,50', false],
    ['another quantity', 'a', '8', '12.5', true],
    ['another price', 'a', '', '13', true],
    ['a first quantity', 'b', '0', '', true],
    ['a cleared reply', 'a', 'clear', '', true],
    ['a price whose comma may separate thousands', 'a', '', '12,500', true],
    ['a quantity as a power', 'a', '7e0', '', true],
    ['a row that the order does not have', 'x', '1', '', true],
  ])('change the order only if they differ from it: %s', (_what, rowHash, qty, price, expected) => {
    expect(hasChanges(replies(['b', '', ''], [rowHash, qty, price]), ITEMS)).toBe(expected);
  });
});
