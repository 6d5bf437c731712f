import { describe, expect, it } from '@jest/globals';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { EMPTY, type } from './draft.js';
import { patchesOf, refusedCells } from './patch.js';
import type { Typed } from './parse-input.js';

const { slots } = matrixOf([
  line({ color: 'RED', sizes: { S: 10, M: [20, 25] } }),
  line({ color: 'BLU', sizes: { S: 10 }, replyPrice: 3 }),
]);
const PRICE = [...slots.keys()].filter((key) => key.startsWith('price:'));
const patches = (typed: Readonly<Record<string, Typed>>, cells = slots) => {
  const entries = Object.entries(typed).map(([key, value]) => {
    const slot = cells.get(key);
    if (!slot) throw new Error(key);
    return [slot, value] as const;
  });
  return patchesOf(type(EMPTY, entries).edits, cells);
};

describe('a request that saves a draft', () => {
  it('contains each row once, and a price in the first row of its line item', () => {
    const [patch] = patches({
      'quantity:S/RED/M': null,
      [PRICE[0] ?? '']: 2.5,
      'quantity:S/RED/S': 0,
      [PRICE[1] ?? '']: null,
    });
    expect(patch?.lines).toEqual([
      { rowHash: 'S/RED/S', vendorReplyQty: 0, vendorReplyUnitPrice: 2.5 },
      { rowHash: 'S/RED/M', vendorReplyQty: null },
      { rowHash: 'S/BLU/S', vendorReplyUnitPrice: null },
    ]);
  });

  it('leaves out invalid entries, and is not made if nothing is left', () => {
    expect(patches({ 'quantity:S/RED/S': 'x' })).toEqual([]);
    expect(patches({})).toEqual([]);
  });

  it('contains at most 1,000 rows', () => {
    const sizes = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`s${index}`, 1]));
    const many = matrixOf([line({ sizes })]).slots;
    const typed = Object.fromEntries([...many.keys()].filter((key) => key.startsWith('q')).map((key) => [key, 2]));
    expect(patches(typed, many).map(({ lines, cells }) => [lines.length, cells.length])).toEqual([
      [1_000, 1_000],
      [1_000, 1_000],
      [1, 1],
    ]);
  });

  it('has its validation errors mapped to the cells that they concern', () => {
    const [patch] = patches({ 'quantity:S/RED/S': 1, [PRICE[0] ?? '']: 2.5, [PRICE[1] ?? '']: 4 });
    if (!patch) throw new Error('no patch');
    const refuse = (pointer: unknown) => [...refusedCells(patch, [{ pointer, message: 'no' }]).keys()];
    expect(refuse('/lines/0/vendorReplyQty')).toEqual(['quantity:S/RED/S']);
    expect(refuse('/lines/0/vendorReplyUnitPrice')).toEqual([PRICE[0]]);
    expect(refuse('/lines/0/rowHash')).toEqual(['quantity:S/RED/S']);
    expect(refuse('/lines/1/rowHash')).toEqual([PRICE[1]]);
    expect([refuse('/lines/9/rowHash'), refuse('/lines'), refuse(undefined)]).toEqual([[], [], []]);
  });
});
