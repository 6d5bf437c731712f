import { describe, expect, it } from '@jest/globals';
import { matrixOf, quantityKey } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { messageRows } from './message-cells.js';

const { rows, slots } = matrixOf([
  line({ style: 'KP', color: 'BLK', sizes: { S: 1, M: 2, L: 3 } }),
  line({ style: 'KP', color: 'RED', sizes: { S: 1, L: 2 } }),
]);
const [black, red] = rows;
const hashesOf = (...cells: (string | undefined)[]) =>
  messageRows(
    rows,
    cells.flatMap((key) => slots.get(key ?? '') ?? []),
  ).map(({ rowHash }) => rowHash);

describe('the cells of a message', () => {
  it('are the selected cells in matrix order', () => {
    expect(hashesOf(quantityKey('KP/RED/L'), quantityKey('KP/BLK/M'))).toEqual(['KP/BLK/M', 'KP/RED/L']);
    expect(messageRows(rows, [...slots.values()].slice(0, 1))).toEqual([
      { rowHash: 'KP/BLK/S', code: 'KP-BLK', style: 'KP', color: 'BLK', size: 'S' },
    ]);
    expect(hashesOf()).toEqual([]);
  });

  it('include each size of a line item once if its price is selected', () => {
    expect(hashesOf(red?.price.key)).toEqual(['KP/RED/S', 'KP/RED/L']);
    expect(hashesOf(black?.price.key, quantityKey('KP/BLK/M'))).toEqual(['KP/BLK/S', 'KP/BLK/M', 'KP/BLK/L']);
  });
});
