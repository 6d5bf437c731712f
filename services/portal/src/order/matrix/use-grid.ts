import { priceText } from '@po/spreadsheets';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { redo, type, undo, valueOf } from '../draft/draft.js';
import { parseCopied, parseInput, parserAfter } from '../draft/parse-input.js';
import type { Editing } from './cell-editor.js';
import { type Place, type Slot, type SlotKey, placeOf, slotAt } from '../lines/size-matrix.js';
import { filled, placed } from './paste.js';
import { type Field, type Selection, at, placesIn, rangeOf, selectionOf, within } from './selection.js';
import { readTsv, writeTsv } from './tsv.js';
import type { MatrixUse } from './use-matrix.js';

export const ROW_PX = 40;
export const HEADER_PX = 33;

/** Rows by which Page Up and Page Down move: one fewer than are visible between the header and the totals. */
const pageOf = (frame: HTMLElement | null): number =>
  Math.max(1, Math.floor(((frame?.clientHeight ?? 0) - 2 * HEADER_PX) / ROW_PX) - 1);

/** Selection and open editor of the grid, with the commands on them. */
export function useGrid(matrix: MatrixUse) {
  const [chosen, setChosen] = useState<Selection>(at(0, 0));
  const [editing, setEditing] = useState<Editing | null>(null);
  /** How the text of the open editor is parsed. */
  const parse = useRef(parseInput);
  /** Number of values of the last paste that had no cell. */
  const [outside, setOutside] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  /** What changed the selection, if the focus must follow it after the next render; `followRequests` counts these requests. */
  const follow = useRef<'pointer' | 'command' | null>(null);
  const [followRequests, setFollowRequests] = useState(0);
  const askToFollow = (by: 'pointer' | 'command' = 'command') => {
    follow.current = by;
    setFollowRequests((count) => count + 1);
  };

  const { rows, find, edits, enter, change, mayEdit } = matrix;
  const { rows: all, width } = matrix.matrix;
  const size = { rows: rows.length, columns: width + 1 };
  /** The rows and the number of size columns that `chosen` refers to. */
  const [counted, setCounted] = useState({ rows, width });
  if (counted.rows !== rows || counted.width !== width) {
    // Others may add sizes and line items: the selection and the open editor stay at the same cells.
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

  const select = (next: Selection, by?: 'pointer') => {
    askToFollow(by);
    setEditing(null);
    setOutside(0);
    setChosen(next);
    matrix.unpoint();
  };
  const { onFocusRequest, showOnlyChanges } = matrix;
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
  useEffect(() => onFocusRequest((keys) => goTo(keys)), [onFocusRequest]);
  /** Text of a cell as it is typed: without separators. */
  const textAt = (place: Place, textOf: (value: number) => string = String): string => {
    const slot = find(place);
    if (!slot) return '';
    const typed = edits.get(slot.key)?.typed;
    return typeof typed === 'string' ? typed : textOf(valueOf(slot, edits));
  };
  /** Text of a cell as it is copied. */
  const copyAt = (place: Place): string => textAt(place, priceText);
  /** Runs a command and moves the focus to the grid, because the command may come from a button. */
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
    /** Selects without moving the focus, which is already there. */
    setSelection: (next: Selection) => {
      setEditing(null);
      setChosen(next);
    },
    frame,
    follow,
    followRequests,
    editing,
    outside,
    /** Opens the editor: with `text` to overwrite the value, else to change it. */
    edit: (text?: string) => {
      const slot = find(selection.focus);
      if (!mayEdit(slot)) return;
      const before = textAt(selection.focus);
      // A text that was copied stays one until the user changes it.
      parse.current = typeof edits.get(slot.key)?.typed === 'string' && text === undefined ? parseCopied : parseInput;
      setEditing({ start: text ?? before, before, over: text !== undefined });
    },
    stopEditing: () => {
      askToFollow();
      setEditing(null);
    },
    /** The user changed the text of the open editor. */
    onInput: (event: InputEvent) => void (parse.current = parserAfter(event)),
    /** Works even if the cell was locked or removed while the user typed: the draft keeps the text. */
    commit: (slot: Slot, text: string) => change((now) => type(now, [[slot, parse.current(text, slot.kind)]])),
    /** Types the same text into all selected cells. */
    commitAll: (text: string) =>
      void enter(
        placesIn(range).map((place) => [place, text]),
        parse.current,
      ),
    clear: () => act(() => enter(placesIn(range).map((place) => [place, '']))),
    fill: (direction: 'down' | 'right') =>
      act(() =>
        enter(
          filled(range, direction).flatMap(([to, from]) => (find(from) ? [[to, copyAt(from)]] : [])),
          parseCopied,
        ),
      ),
    undo: () => act(() => change(undo)),
    redo: () => act(() => change(redo)),
    copy: (): string =>
      writeTsv(
        Array.from({ length: range.bottom - range.top + 1 }, (_, row) =>
          Array.from({ length: range.right - range.left + 1 }, (__, column) =>
            copyAt({ row: range.top + row, column: range.left + column }),
          ),
        ),
      ),
    paste: (text: string) => {
      const pasted = placed(readTsv(text), range, size);
      // Skips unchanged texts: a mean price that is pasted back would become the price of all sizes.
      const changed = pasted.texts.filter(([place, value]) => value !== textAt(place) && value !== copyAt(place));
      const withoutCell = enter(changed, parseCopied);
      const { top, left, bottom, right } = pasted.range;
      // The focus stays at the start of the pasted block, which may be long.
      select({ anchor: { row: bottom, column: right }, focus: { row: top, column: left } });
      setOutside(pasted.outside + withoutCell);
    },
  };
}

export type GridUse = ReturnType<typeof useGrid>;
