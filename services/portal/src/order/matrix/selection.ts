import type { Place } from '../lines/size-matrix.js';

/** The cells between the place where selecting began and the focused place. */
export interface Selection {
  anchor: Place;
  focus: Place;
}

/** Rows and columns; all bounds are inclusive. */
export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Size of the grid, and the places that have a cell. */
export interface Field {
  rows: number;
  columns: number;
  /** Rows by which Page Up and Page Down move. */
  page: number;
  has: (place: Place) => boolean;
}

export const at = (row: number, column: number): Selection => ({ anchor: { row, column }, focus: { row, column } });

export const rangeOf = ({ anchor, focus }: Selection): Range => ({
  top: Math.min(anchor.row, focus.row),
  bottom: Math.max(anchor.row, focus.row),
  left: Math.min(anchor.column, focus.column),
  right: Math.max(anchor.column, focus.column),
});

export const placesIn = ({ top, bottom, left, right }: Range): Place[] =>
  Array.from({ length: (bottom - top + 1) * (right - left + 1) }, (_, index) => ({
    row: top + Math.floor(index / (right - left + 1)),
    column: left + (index % (right - left + 1)),
  }));

/** Selects these places if they fill a rectangle, else only the first. The first place gets the focus. */
export function selectionOf(places: readonly Place[]): Selection {
  const [rows, columns] = [places.map(({ row }) => row), places.map(({ column }) => column)];
  const focus = { row: Math.min(...rows), column: Math.min(...columns) };
  const anchor = { row: Math.max(...rows), column: Math.max(...columns) };
  const [first = focus] = places;
  return placesIn(rangeOf({ anchor, focus })).length === places.length
    ? { anchor, focus }
    : at(first.row, first.column);
}

/** The selection, limited to a grid that may have become smaller. */
export const within = ({ anchor, focus }: Selection, { rows, columns }: Pick<Field, 'columns' | 'rows'>): Selection => {
  const clamp = ({ row, column }: Place) => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  });
  return { anchor: clamp(anchor), focus: clamp(focus) };
};

export const ARROWS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The selection after a key, as in spreadsheets; null for a key that does not move it. */
export function moved(
  selection: Selection,
  { key, ctrl, shift }: { key: string; ctrl: boolean; shift: boolean },
  field: Field,
): Selection | null {
  const last = { row: field.rows - 1, column: field.columns - 1 };
  if (ctrl && key.toLowerCase() === 'a') return { anchor: { row: 0, column: 0 }, focus: last };
  const { row, column } = selection.focus;
  const arrow = ARROWS[key];
  const to = arrow
    ? ctrl
      ? edge(selection.focus, arrow, field)
      : { row: row + arrow[0], column: column + arrow[1] }
    : key === 'Home'
      ? { row: ctrl ? 0 : row, column: 0 }
      : key === 'End'
        ? { row: ctrl ? last.row : row, column: last.column }
        : key === 'PageUp'
          ? { row: row - field.page, column }
          : key === 'PageDown'
            ? { row: row + field.page, column }
            : null;
  if (to === null) return null;
  const next = within({ anchor: shift ? selection.anchor : to, focus: to }, field);
  return shift ? { anchor: selection.anchor, focus: next.focus } : next;
}

/** The last of adjacent cells. From there, or from a gap, the next cell after the gap, or the edge of the grid if there is none. */
function edge(from: Place, [rows, columns]: readonly [number, number], field: Field): Place {
  const step = ({ row, column }: Place) => ({ row: row + rows, column: column + columns });
  const inside = ({ row, column }: Place) => row >= 0 && column >= 0 && row < field.rows && column < field.columns;
  let place = from;
  const together = field.has(place) && inside(step(place)) && field.has(step(place));
  while (inside(step(place))) {
    if (together && !field.has(step(place))) break;
    place = step(place);
    if (!together && field.has(place)) break;
  }
  return place;
}
