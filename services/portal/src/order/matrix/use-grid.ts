import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { redo, type, undo, valueOf } from '../draft/draft.js';
import { parseInput } from '../draft/parse-input.js';
import type { Editing } from './cell-editor.js';
import { type Place, type Slot, type SlotKey, placeOf, slotAt } from '../lines/size-matrix.js';
import { filled, placed } from './paste.js';
import { type Field, type Selection, at, placesIn, rangeOf, selectionOf, within } from './selection.js';
import { readTsv, writeTsv } from './tsv.js';
import type { MatrixUse } from './use-matrix.js';

export const ROW_PX = 40;
export const HEADER_PX = 33;

/** Rows that Page Down passes: those in sight between the header and the totals, without one. */
const pageOf = (frame: HTMLElement | null): number =>
  Math.max(1, Math.floor(((frame?.clientHeight ?? 0) - 2 * HEADER_PX) / ROW_PX) - 1);

/** What is selected and typed in the grid, and what can be done with it. */
export function useGrid(matrix: MatrixUse) {
  const [chosen, setChosen] = useState<Selection>(at(0, 0));
  const [editing, setEditing] = useState<Editing | null>(null);
  /** How many values of the last paste had no cell. */
  const [outside, setOutside] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  /** The focus is to follow the selection, once that is painted; `asked` counts how often. */
  const follow = useRef(false);
  const [asked, setAsked] = useState(0);
  const askToFollow = () => {
    follow.current = true;
    setAsked((count) => count + 1);
  };

  const { rows, find, edits, enter, change, mayEdit } = matrix;
  const { rows: all, width } = matrix.matrix;
  const size = { rows: rows.length, columns: width + 1 };
  /** The rows and columns that `chosen` counts in. */
  const [counted, setCounted] = useState({ rows, width });
  if (counted.rows !== rows || counted.width !== width) {
    // Others may add sizes and items: the selection stays at the same cells, and so does what is being typed.
    const placeNow = (place: Place): Place | null => {
      const slot = slotAt(counted.rows, counted.width, place);
      return slot ? placeOf(rows, width, slot.key) : place;
    };
    const { anchor, focus } = chosen;
    if (placeNow(focus) === null) setEditing(null);
    setCounted({ rows, width });
    setChosen(within({ anchor: placeNow(anchor) ?? anchor, focus: placeNow(focus) ?? focus }, size));
  }
  const selection = within(chosen, size);
  const range = rangeOf(selection);
  const field = (): Field => ({ ...size, page: pageOf(frame.current), has: (place) => find(place) !== null });

  const select = (next: Selection) => {
    askToFollow();
    setEditing(null);
    setOutside(0);
    setChosen(next);
    matrix.unpoint();
  };
  const { onLead, showOnlyChanges } = matrix;
  const goTo = useEffectEvent((keys: readonly SlotKey[]) => {
    const isShown = keys.every((key) => placeOf(rows, width, key));
    const places = keys.flatMap((key) => placeOf(isShown ? rows : all, width, key) ?? []);
    if (places.length === 0) return;
    if (!isShown) {
      showOnlyChanges(false);
      setCounted({ rows: all, width });
    }
    askToFollow();
    setEditing(null);
    setChosen(selectionOf(places));
  });
  useEffect(() => onLead((keys) => goTo(keys)), [onLead]);
  /** As it is typed and copied: without separators. */
  const textAt = (place: Place): string => {
    const slot = find(place);
    if (!slot) return '';
    const typed = edits.get(slot.key)?.typed;
    return typeof typed === 'string' ? typed : String(valueOf(slot, edits));
  };
  /** From a button too: one goes on in the grid. */
  const act = (action: () => void) => {
    askToFollow();
    setOutside(0);
    action();
  };

  return {
    selection,
    range,
    field,
    select,
    setSelection: setChosen,
    frame,
    follow,
    asked,
    editing,
    textAt,
    outside,
    /** Begins to type: over what is there with `text`, else into it. */
    edit: (text?: string) => {
      const slot = find(selection.focus);
      if (!mayEdit(slot)) return;
      const before = textAt(selection.focus);
      setEditing({ start: text ?? before, before, over: text !== undefined });
    },
    stopEditing: () => {
      askToFollow();
      setEditing(null);
    },
    /** Also into a cell that was locked or removed while somebody typed there: the text is kept with the draft. */
    commit: (slot: Slot, text: string) => change((now) => type(now, [[slot, parseInput(text, slot.kind)]])),
    /** The same text into all that is selected. */
    commitAll: (text: string) => void enter(placesIn(range).map((place) => [place, text])),
    clear: () => act(() => enter(placesIn(range).map((place) => [place, '']))),
    fill: (direction: 'down' | 'right') =>
      act(() => enter(filled(range, direction).flatMap(([to, from]) => (find(from) ? [[to, textAt(from)]] : [])))),
    undo: () => act(() => change(undo)),
    redo: () => act(() => change(redo)),
    copy: (): string =>
      writeTsv(
        Array.from({ length: range.bottom - range.top + 1 }, (_, row) =>
          Array.from({ length: range.right - range.left + 1 }, (__, column) =>
            textAt({ row: range.top + row, column: range.left + column }),
          ),
        ),
      ),
    paste: (text: string) => {
      const pasted = placed(readTsv(text), range, size);
      const withoutCell = enter(pasted.texts);
      const { top, left, bottom, right } = pasted.range;
      // One stays where one pasted, not at the end of a long block.
      select({ anchor: { row: bottom, column: right }, focus: { row: top, column: left } });
      setOutside(pasted.outside + withoutCell);
    },
  };
}

export type GridUse = ReturnType<typeof useGrid>;
