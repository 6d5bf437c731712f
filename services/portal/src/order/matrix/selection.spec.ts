import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Field, at, moved, placesIn, rangeOf, selectionOf } from './selection.js';

/** A grid that has a cell at each `x`. */
const field = (...rows: string[]): Field => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  page: 2,
  has: ({ row, column }) => rows[row]?.[column] === 'x',
});
const press = (keys: string) => ({
  key: keys.split('+').at(-1) ?? '',
  ctrl: keys.includes('Ctrl+'),
  shift: keys.includes('Shift+'),
});
const full = field('xxx', 'xxx', 'xxx', 'xxx');

describe('moving in the grid', () => {
  it.each([
    ['ArrowRight', [1, 2]],
    ['ArrowUp', [0, 1]],
    ['Home', [1, 0]],
    ['End', [1, 2]],
    ['Ctrl+Home', [0, 0]],
    ['Ctrl+End', [3, 2]],
    ['PageDown', [3, 1]],
    ['PageUp', [0, 1]],
    ['Ctrl+ArrowDown', [3, 1]],
    ['Ctrl+ArrowLeft', [1, 0]],
  ])('%s leads from [1,1] to %j', (keys, [row = -1, column = -1]) => {
    expect(moved(at(1, 1), press(keys), full)).toEqual(at(row, column));
  });

  it('stays within the grid and ignores other keys', () => {
    expect(moved(at(0, 0), press('ArrowUp'), full)).toEqual(at(0, 0));
    expect(moved(at(0, 0), press('x'), full)).toBeNull();
    expect(moved(at(0, 0), press('a'), full)).toBeNull();
  });

  it('extends the selection with Shift and selects all cells with Ctrl+A', () => {
    const right = moved(at(1, 1), press('Shift+ArrowRight'), full);
    expect(right && rangeOf(right)).toEqual({ top: 1, bottom: 1, left: 1, right: 2 });
    const up = right && moved(right, press('Ctrl+Shift+ArrowUp'), full);
    expect(up && rangeOf(up)).toEqual({ top: 0, bottom: 1, left: 1, right: 2 });
    const all = moved(at(1, 1), press('Ctrl+a'), full);
    expect(all && placesIn(rangeOf(all))).toHaveLength(12);
  });

  it('goes with Ctrl to the end of adjacent cells, then across the gap', () => {
    const gaps = field('xx..xx.');
    const stops: number[] = [];
    for (let now = at(0, 0), turn = 0; turn < 4; turn += 1) {
      now = moved(now, press('Ctrl+ArrowRight'), gaps) ?? now;
      stops.push(now.focus.column);
    }
    expect(stops).toEqual([1, 4, 5, 6]);
  });

  it('ends inside the grid after any keys', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'a'];
    const presses = fc.array(fc.record({ key: fc.constantFrom(...keys), ctrl: fc.boolean(), shift: fc.boolean() }));
    const grids = fc.array(fc.stringMatching(/^[x.]{4}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(presses, grids, (pressed, rows) => {
        const grid = field(...rows);
        let now = at(0, 0);
        for (const one of pressed) now = moved(now, one, grid) ?? now;
        const { top, bottom, left, right } = rangeOf(now);
        expect(top >= 0 && left >= 0 && bottom < rows.length && right < 4).toBe(true);
      }),
    );
  });
});

describe('selecting given cells', () => {
  it('selects a whole rectangle and focuses its first cell', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3), (top, left, height, width) => {
        const range = { top, left, bottom: top + height, right: left + width };
        const selection = selectionOf(placesIn(range).toReversed());
        expect(rangeOf(selection)).toEqual(range);
        expect(selection.focus).toEqual({ row: top, column: left });
      }),
    );
  });

  it('selects only the first cell if they do not fill a rectangle', () => {
    const corner = [
      { row: 2, column: 1 },
      { row: 2, column: 2 },
      { row: 3, column: 1 },
    ];
    expect(selectionOf(corner)).toEqual(at(2, 1));
  });
});
