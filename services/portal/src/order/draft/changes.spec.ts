import { describe, expect, it } from '@jest/globals';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { changesSince, seenWith } from './changes.js';

const cells = (sizes: Parameters<typeof line>[0]['sizes'], price?: number) =>
  matrixOf([line({ sizes, ...(price !== undefined && { price }) })]).slots;
const seen = cells({ S: 10, M: [20, 25], L: 30 });
const summaryOf = (changes: ReturnType<typeof changesSince>) =>
  changes.map(({ slot, before, now }) => [slot.size, before, now]);

describe('cell changes by others', () => {
  it('are reported for cells that were added, changed in value or removed', () => {
    expect(summaryOf(changesSince(seen, cells({ S: [10, 11], M: [21, 25], XL: 5 }, 3)))).toEqual([
      ['S', 10, 11],
      ['XL', null, 5],
      [null, 2, 3],
      ['L', 30, null],
    ]);
    expect(changesSince(seen, cells({ S: 10, M: [20, 25], L: 30 }))).toEqual([]);
  });

  it('exclude cells with a value that the user typed', () => {
    const [first] = seen.keys();
    if (first === undefined) throw new Error('no cell');
    const saved = cells({ S: [10, 12], M: [20, 24], L: 30 });
    expect(summaryOf(changesSince(seenWith(seen, [[first, 12]], saved), saved))).toEqual([['M', 25, 24]]);
    expect(seenWith(seen, [[first, 13]], saved)).toBe(seen);
  });
});
