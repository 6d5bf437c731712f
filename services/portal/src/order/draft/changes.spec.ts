import { describe, expect, it } from '@jest/globals';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { changesSince, seenWith } from './changes.js';
import { EMPTY, type } from './draft.js';

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

  it('exclude cells that the user saved', () => {
    const [first] = seen.values();
    if (!first) throw new Error('no cell');
    const { edits } = type(EMPTY, [[first, 12]]);
    const saved = cells({ S: [10, 12], M: [20, 24], L: 30 });
    expect(summaryOf(changesSince(seenWith(seen, edits, saved), saved))).toEqual([['M', 25, 24]]);
  });
});
