import type { Place } from '../lines/size-matrix.js';
import { type Range, placesIn } from './selection.js';

/** Texts for places, what of them lies outside of the grid, and what is selected afterwards. */
export interface Pasted {
  texts: (readonly [Place, string])[];
  outside: number;
  range: Range;
}

/**
 * Where a block goes: one value into all that is selected, a block as often as it fits into the selection exactly, else once from its
 * first cell on. Blank cells change nothing; those beyond the grid are counted.
 */
export function placed(
  block: readonly (readonly string[])[],
  range: Range,
  size: { rows: number; columns: number },
): Pasted {
  const height = block.length;
  const width = Math.max(0, ...block.map((row) => row.length));
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

/** Where each cell of a selection gets its value from when it is filled: its first row downwards, its first column to the right. */
export function filled(range: Range, direction: 'down' | 'right'): (readonly [to: Place, from: Place])[] {
  const isSource = ({ row, column }: Place) => (direction === 'down' ? row === range.top : column === range.left);
  return placesIn(range)
    .filter((place) => !isSource(place))
    .map((to) => [to, direction === 'down' ? { ...to, row: range.top } : { ...to, column: range.left }]);
}
