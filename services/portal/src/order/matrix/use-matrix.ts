import { useCallback, useMemo, useState } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { EMPTY, type Edit, type } from '../draft/draft.js';
import { inputErrorOf, parseInput } from '../draft/parse-input.js';
import { CELL_FIELDS, useCells } from '../edit/cells.js';
import type { Saving } from '../edit/use-saving.js';
import { changedRows, linesOf } from './layout.js';
import { type Matrix, type Place, type Row, type Slot, slotAt } from '../lines/size-matrix.js';
import { type RowState, rowStates, sumOf, totalsBy } from './totals.js';

/** Problem of an edited cell; null if there is none. */
export type Mark = 'conflict' | 'wrong' | null;

/** State and commands of an order's matrix, for the grid and the cards. */
export function useMatrix({ editableFields }: OrderDetail, matrix: Matrix, { refusalOf }: Saving) {
  const { width } = matrix;
  const cells = useCells();
  const { editable, conflicts, change, changes } = cells;
  const draft = editable ? cells.draft : EMPTY;
  const { edits } = draft;
  const changedByOthers = useMemo(() => new Set(changes.map(({ key }) => key)), [changes]);

  const [only, setOnly] = useState<{ keys: ReadonlySet<string> } | null>(null);
  /** Shows the rows that differ at this moment. A row that later no longer differs stays visible. */
  const showOnlyChanges = (on: boolean) =>
    setOnly(on ? { keys: new Set(changedRows(matrix.rows, edits).map(({ key }) => key)) } : null);
  const rows = useMemo(
    () => (only === null ? matrix.rows : matrix.rows.filter(({ key }) => only.keys.has(key))),
    [matrix, only],
  );
  const shown = useMemo(() => linesOf(rows), [rows]);
  const statesOf = useMemo(() => rowStates(matrix.rows), [matrix]);
  const states = useMemo(() => statesOf(edits), [statesOf, edits]);
  const totals = useMemo(() => {
    const ofRow = (row: Row) => stateIn(states, row).totals;
    return {
      byStyle: totalsBy(matrix.rows, ({ style, run }) => `${run}\n${style}`, ofRow),
      order: sumOf(matrix.rows.map(ofRow)),
    };
  }, [matrix, states]);

  const mayEdit = useCallback(
    (slot: Slot | null): slot is Slot => slot !== null && editableFields.includes(CELL_FIELDS[slot.kind]),
    [editableFields],
  );
  const markOf = useCallback(
    ({ key, kind }: Slot, edit: Edit): Mark => {
      if (inputErrorOf(edit.typed, kind) !== null || refusalOf(key, edit) !== null) return 'wrong';
      return conflicts.has(key) ? 'conflict' : null;
    },
    [refusalOf, conflicts],
  );

  const find = (place: Place) => slotAt(rows, width, place);

  return {
    matrix,
    rows,
    shown,
    totals,
    draft,
    edits,
    editable,
    conflicts,
    changedByOthers,
    refusalOf,
    mayEdit,
    markOf,
    find,
    change,
    onlyChanges: only !== null,
    showOnlyChanges,
    highlighted: cells.highlighted,
    unpoint: () => {
      if (cells.highlighted.size > 0) cells.highlight([]);
    },
    onFocusRequest: cells.onFocusRequest,
    settle: cells.settle,
    stateOf: (row: Row): RowState => stateIn(states, row),
    /** Edits typed before the order was locked. */
    locked: editable ? EMPTY.edits : cells.draft.edits,
    /** Types or copies texts into places as one step. Returns how many of them have no editable cell. */
    enter: (texts: readonly (readonly [Place, string])[], parse = parseInput): number => {
      const entries = texts.flatMap(([place, text]) => {
        const slot = find(place);
        return mayEdit(slot) ? [[slot, parse(text, slot.kind)] as const] : [];
      });
      change((now) => type(now, entries));
      return texts.length - entries.length;
    },
  };
}

/** State of a row; throws if the row is not in the matrix. */
function stateIn(states: ReadonlyMap<string, RowState>, { key }: Row): RowState {
  const state = states.get(key);
  if (!state) throw new Error(`no row ${key}`);
  return state;
}

export type MatrixUse = ReturnType<typeof useMatrix>;
