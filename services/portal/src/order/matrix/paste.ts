import type { Place } from '../lines/size-matrix.js';
import { type Range, placesIn } from './selection.js';

/** Texts by place, the number of values outside the grid, and the selection afterwards. */
export interface Pasted {
  texts: (readonly [Place, string])[];
  outside: number;
  range: Range;
}

/**
 * Assigns the values of a block to places. A block that fits the selection exactly several times is repeated, as is a single value; any
 * other is inserted once at the first selected cell. Blank values change nothing; values beyond the grid are counted.
 */
export function placed(
  block: readonly (readonly string[])[],
  range: Range,
  size: { rows: number; columns: number },
): Pasted {
  const height = block.length;
  // A whole column of a spreadsheet has more rows than a function may have arguments.
  const width = block.reduce((widest, row) => Math.max(widest, row.length), 0);
  const rows = range.bottom - range.top + 1;
  const columns = range.right - range.left + 1;
  const repeats = rows % height === 0 && columns % width === 0;
  const target = {
    top: range.top,
    left: range.left,
    bottom: repeats ? range.bottom : range.top + height - 1,
    right: repeats ? range.right : range.left + width - 1,
  };
  const texts = placesIn(target).flatMap((place): (readonly [Place, string])[] => {
    const text = block[(place.row - range.top) % height]?.[(place.column - range.left) % width]?.trim() ?? '';
    return text === '' ? [] : [[place, text]];
  });
  const inside = texts.filter(([{ row, column }]) => row < size.rows && column < size.columns);
  return {
    texts: inside,
    outside: texts.length - inside.length,
    range: {
      ...target,
      bottom: Math.max(target.top, Math.min(target.bottom, size.rows - 1)),
      right: Math.max(target.left, Math.min(target.right, size.columns - 1)),
    },
  };
}

/** Source of each cell when a selection is filled: its first row when filled down, its first column when filled right. */
export function filled(range: Range, direction: 'down' | 'right'): (readonly [to: Place, from: Place])[] {
  const isSource = ({ row, column }: Place) => (direction === 'down' ? row === range.top : column === range.left);
  return placesIn(range)
    .filter((place) => !isSource(place))
    .map((to) => [to, direction === 'down' ? { ...to, row: range.top } : { ...to, column: range.left }]);
}
