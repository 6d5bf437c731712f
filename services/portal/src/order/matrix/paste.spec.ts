import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filled, placed } from './paste.js';

const SIZE = { rows: 3, columns: 3 };
const one = (row: number, column: number) => ({ top: row, bottom: row, left: column, right: column });
const texts = (pasted: ReturnType<typeof placed>) =>
  pasted.texts.map(([{ row, column }, text]) => `${row},${column}=${text}`);

describe('a pasted block', () => {
  it('of one value fills the whole selection', () => {
    const pasted = placed([[' 5 ']], { top: 0, bottom: 1, left: 1, right: 2 }, SIZE);
    expect(texts(pasted)).toEqual(['0,1=5', '0,2=5', '1,1=5', '1,2=5']);
  });

  it('is repeated if it fits the selection exactly, and otherwise inserted once', () => {
    expect(texts(placed([['1', '2']], { top: 0, bottom: 1, left: 0, right: 1 }, SIZE))).toHaveLength(4);
    const once = placed([['1', '2']], { top: 0, bottom: 1, left: 0, right: 2 }, SIZE);
    expect(texts(once)).toEqual(['0,0=1', '0,1=2']);
    expect(once.range).toEqual({ top: 0, bottom: 0, left: 0, right: 1 });
  });

  it('ends at the edge of the grid, and the values beyond it are counted', () => {
    const pasted = placed(
      [
        ['1', '2'],
        ['3', ''],
        ['4', '5'],
      ],
      one(2, 2),
      SIZE,
    );
    expect([texts(pasted), pasted.outside, pasted.range]).toEqual([['2,2=1'], 4, one(2, 2)]);
  });

  it('may have more rows than a function may have arguments', () => {
    const column = Array.from({ length: 200_000 }, () => ['1']);
    expect(placed(column, one(0, 0), SIZE).outside).toBe(column.length - SIZE.rows);
  });

  it('does not change cells where it is blank', () => {
    expect(texts(placed([['1', ' ', '3']], one(0, 0), SIZE))).toEqual(['0,0=1', '0,2=3']);
  });

  it('has each of its values either inserted or counted, at any position', () => {
    const block = fc
      .integer({ min: 1, max: 5 })
      .chain((width) =>
        fc.array(fc.array(fc.constant('7'), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      );
    const place = fc.integer({ min: 0, max: 2 });
    fc.assert(
      fc.property(block, place, place, (cells, row, column) => {
        const { texts: inside, outside } = placed(cells, one(row, column), SIZE);
        expect(inside.length + outside).toBe(cells.flat().length);
        expect(inside.every(([to]) => to.row < 3 && to.column < 3)).toBe(true);
      }),
    );
  });
});

describe('filling a selection', () => {
  const range = { top: 1, bottom: 2, left: 0, right: 1 };
  const pairs = (direction: 'down' | 'right') =>
    filled(range, direction).map(([to, from]) => `${from.row},${from.column}>${to.row},${to.column}`);

  it('copies its first row down or its first column to the right', () => {
    expect(pairs('down')).toEqual(['1,0>2,0', '1,1>2,1']);
    expect(pairs('right')).toEqual(['1,0>1,1', '2,0>2,1']);
  });
});
