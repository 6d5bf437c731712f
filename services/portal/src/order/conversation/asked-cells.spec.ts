import { describe, expect, it } from '@jest/globals';
import { matrixOf, quantityKey } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { askedRows, cellsOfRows, rowName } from './asked-cells.js';

const { rows, slots } = matrixOf([
  line({ style: 'KP', color: 'BLK', sizes: { S: 1, M: 2, L: 3 } }),
  line({ style: 'KP', color: 'RED', sizes: { S: 1, L: 2 } }),
]);
const [black, red] = rows;
const hashesOf = (...cells: (string | undefined)[]) =>
  askedRows(
    rows,
    cells.flatMap((key) => slots.get(key ?? '') ?? []),
  ).map(({ rowHash }) => rowHash);

describe('the cells that a message is about', () => {
  it('are those that are selected, in the order of the matrix', () => {
    expect(hashesOf(quantityKey('KP/RED/L'), quantityKey('KP/BLK/M'))).toEqual(['KP/BLK/M', 'KP/RED/L']);
    expect(askedRows(rows, [...slots.values()].slice(0, 1))).toEqual([
      { rowHash: 'KP/BLK/S', code: 'KP-BLK', style: 'KP', color: 'BLK', size: 'S' },
    ]);
    expect(hashesOf()).toEqual([]);
  });

  it('are all sizes of an item whose price is selected, each once', () => {
    expect(hashesOf(red?.price.key)).toEqual(['KP/RED/S', 'KP/RED/L']);
    expect(hashesOf(black?.price.key, quantityKey('KP/BLK/M'))).toEqual(['KP/BLK/S', 'KP/BLK/M', 'KP/BLK/L']);
  });

  it('are told apart by whether the order still has them', () => {
    const asked = askedRows(rows, [...slots.values()].slice(0, 2));
    expect(cellsOfRows(asked, slots)).toEqual({ there: asked.map(({ rowHash }) => quantityKey(rowHash)), gone: [] });
    const later = matrixOf([line({ style: 'KP', color: 'BLK', sizes: { M: 2 } })]).slots;
    expect(cellsOfRows(asked, later)).toEqual({ there: [quantityKey('KP/BLK/M')], gone: ['KP · BLK · S'] });
    // Before the lines are loaded none of them is gone.
    expect(cellsOfRows(asked, undefined)).toEqual({ there: [], gone: [] });
  });

  it('are called as in the matrix', () => {
    expect(rowName({ rowHash: 'h', code: 'c', style: 'KP', color: '', size: 'XL' })).toBe('KP · XL');
  });
});
