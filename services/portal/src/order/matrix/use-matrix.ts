import { useCallback, useMemo, useState } from 'react';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { type Conflict, EMPTY, type Edit, conflictsOf, type } from '../draft/draft.js';
import { faultOf, readTyped } from '../draft/typed.js';
import { useDraft } from '../draft/use-draft.js';
import { useSave } from '../draft/use-save.js';
import { changedRows, linesOf } from './layout.js';
import { type Place, type Row, type Slot, type SlotKey, matrixOf, slotAt } from './model.js';
import { type RowState, rowStates, sumOf, totalsBy } from './totals.js';

/** What is special about a cell, beside its value. */
export type Mark = 'conflict' | 'wrong' | null;

/** Names of what may be edited, as the API has them. */
const FIELDS = { quantity: 'vendorReplyQty', price: 'vendorReplyUnitPrice' } as const;

/** The same one each time: rows are painted anew for another. */
const NO_CONFLICTS: ReadonlyMap<SlotKey, Conflict> = new Map();

/** All that the matrix of an order shows and does, as a grid or as cards. */
export function useMatrix(order: OrderDetail, lines: OrderLines, user: string) {
  const matrix = useMemo(() => matrixOf(lines.items), [lines]);
  const { slots, width } = matrix;
  const kept = useDraft(user, order.poRef, slots);
  const { save, refusalOf } = useSave(order.poRef);
  const { editableFields } = order;
  const editable = editableFields.includes(FIELDS.quantity) || editableFields.includes(FIELDS.price);
  const draft = editable ? kept.draft : EMPTY;
  const { edits } = draft;

  const conflicts = useMemo(() => {
    const found = conflictsOf(edits, slots).map((conflict) => [conflict.key, conflict] as const);
    return found.length === 0 ? NO_CONFLICTS : new Map(found);
  }, [edits, slots]);
  const faulty = useMemo(
    () => [...edits].filter(([key, { typed }]) => slots.has(key) && typeof typed === 'string').length,
    [edits, slots],
  );

  const [only, setOnly] = useState<{ keys: ReadonlySet<string> } | null>(null);
  /** Rows that differ when it is switched on: one that no longer does stays where it is looked at. */
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
    (slot: Slot | null): slot is Slot => slot !== null && editableFields.includes(FIELDS[slot.kind]),
    [editableFields],
  );
  const markOf = useCallback(
    ({ key, kind }: Slot, edit: Edit): Mark => {
      if (faultOf(edit.typed, kind) !== null || refusalOf(key, edit) !== null) return 'wrong';
      return conflicts.has(key) ? 'conflict' : null;
    },
    [refusalOf, conflicts],
  );

  const find = (place: Place) => slotAt(rows, width, place);

  return {
    ...{ matrix, rows, shown, totals, draft, edits, editable, conflicts, faulty, refusalOf, mayEdit, markOf, find },
    ...{ onlyChanges: only !== null, showOnlyChanges, change: kept.change, discard: kept.discard, full: kept.full },
    stateOf: (row: Row): RowState => stateIn(states, row),
    /** Typed before the order was locked. */
    locked: editable ? 0 : kept.draft.edits.size,
    /** Types texts into places, as one step. Returns for how many of them there is no cell that may be edited. */
    enter: (texts: readonly (readonly [Place, string])[]): number => {
      const entries = texts.flatMap(([place, text]) => {
        const slot = find(place);
        return mayEdit(slot) ? [[slot, readTyped(text, slot.kind)] as const] : [];
      });
      kept.change((now) => type(now, entries));
      return texts.length - entries.length;
    },
    save: () => {
      if (save.isPending || conflicts.size > 0 || faulty > 0 || edits.size === 0) return;
      save.mutate({ edits, slots, version: lines.version });
    },
    saving: { isPending: save.isPending, isSuccess: save.isSuccess, error: save.error },
  };
}

/** A row of the matrix is among its states. */
function stateIn(states: ReadonlyMap<string, RowState>, { key }: Row): RowState {
  const state = states.get(key);
  if (!state) throw new Error(`no row ${key}`);
  return state;
}

export type MatrixUse = ReturnType<typeof useMatrix>;
