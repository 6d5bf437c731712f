import { createSafeContext } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { TEXTS, useStorageKey } from '../../storage/use-stored.js';
import { type CellChange, changesSince, seenWith } from '../draft/changes.js';
import { type DraftStore, openDraft } from '../draft/draft-store.js';
import { type Conflict, type Draft, EMPTY, type Slots, conflictsOf, decide, settle } from '../draft/draft.js';
import type { Typed } from '../draft/parse-input.js';
import { type Matrix, type Slot, type SlotKey, currentOf, matrixOf } from '../lines/size-matrix.js';

/** API names of the editable fields. */
export const CELL_FIELDS = { quantity: 'vendorReplyQty', price: 'vendorReplyUnitPrice' } as const;

/** The lines of an order with the user's edits. Only the draft is known before the lines are loaded. */
interface Cells {
  matrix: Matrix | null;
  /** Order version of the lines; 0 before they are loaded. */
  version: number;
  editable: boolean;
  draft: Draft;
  /** Cells with unsaved values that others changed. */
  conflicts: ReadonlyMap<SlotKey, Conflict>;
  /** Cells with invalid entries, in the order of typing. */
  faulty: readonly SlotKey[];
  /** Changes by others since the user saw the cells, including cells with unsaved values. */
  changes: readonly CellChange[];
  /** Finds a cell by key, including a removed one that the user saw. */
  slotOf: (key: SlotKey) => Slot | undefined;
  change: (change: (draft: Draft) => Draft) => void;
  /** Resolves conflicts: others' value wins if `takes` returns true. Changes by others then count as seen. */
  settle: (takes: (key: SlotKey) => boolean) => void;
  discard: () => void;
  focusCell: (key: SlotKey) => void;
  /** Leads to the cells of a message and marks them until the user selects, or is led to, something else. */
  highlight: (keys: readonly SlotKey[]) => void;
  /** Cells marked by `highlight`. */
  highlighted: ReadonlySet<SlotKey>;
  /** Calls `listener` with the cells to lead to, the first of which gets the focus. Returns a function that unsubscribes. */
  onFocusRequest: (listener: FocusListener) => () => void;
}

/** `why`: to correct the entry there, or to see what a message is about. */
type FocusListener = (keys: readonly SlotKey[], why: 'correct' | 'see') => void;

/** Constant instances, because a new instance would rerender the rows. */
const NO_KEYS: ReadonlySet<SlotKey> = new Set();
const NO_CONFLICTS: ReadonlyMap<SlotKey, Conflict> = new Map();
const NO_SLOTS: Slots = new Map();

/** Edits of an order's lines. The page holds them, because it does not rerender for each cell. */
export function useCellsStore(poRef: string): DraftStore {
  const name = useStorageKey('order', poRef, 'cells');
  return useMemo(() => openDraft(TEXTS, name), [name]);
}

const [CellsContext, useCells] = createSafeContext<Cells>('no CellsProvider above');
export { useCells };

export function CellsProvider(props: {
  order: OrderDetail;
  lines: OrderLines | undefined;
  store: DraftStore;
  children: ReactNode;
}) {
  const { order, lines, store, children } = props;
  const draft = useSyncExternalStore(store.subscribe, store.get);
  /** Cells that the user saw; null until the lines are loaded. */
  const [seen, setSeen] = useState<Slots | null>(null);
  const [focusListeners] = useState(() => new Set<FocusListener>());
  const [highlighted, setHighlighted] = useState(NO_KEYS);
  const matrix = useMemo(() => lines && matrixOf(lines.data), [lines]);
  const slots = matrix?.slots;
  const { edits } = draft;
  /** The last value typed into each cell until the user gives it up, or this tab or another one saved it. */
  const typed = useRef(new Map<SlotKey, Typed>());
  useLayoutEffect(() => {
    for (const [key, edit] of edits) typed.current.set(key, edit.typed ?? edit.original);
  }, [edits]);
  // Before the paint; otherwise cells just saved would be marked as unsaved, or as changed by others, for a moment.
  useLayoutEffect(() => {
    if (!slots) return;
    const typedOver = [...store.get().edits].map(([key, edit]) => [key, currentOf(edit)] as const);
    const own = [...typed.current, ...typedOver];
    setSeen((before) => (before ? seenWith(before, own, slots) : slots));
    for (const [key, value] of typed.current) {
      const slot = slots.get(key);
      if (slot && currentOf(slot) === value) typed.current.delete(key);
    }
    store.change((now) => settle(now, slots));
  }, [store, slots]);
  // The draft gets the text when its field loses the focus, which must happen before the page is left.
  useWindowEvent('pagehide', blurField);

  const { editableFields } = order;
  const editable = Object.values(CELL_FIELDS).some((field) => editableFields.includes(field));
  const conflicts = useMemo(() => {
    const found = slots && editable ? conflictsOf(edits, slots) : [];
    return found.length === 0 ? NO_CONFLICTS : new Map(found.map((conflict) => [conflict.key, conflict]));
  }, [edits, slots, editable]);
  const faulty = useMemo(
    () => [...edits].flatMap(([key, { typed }]) => (slots?.has(key) && typeof typed === 'string' ? [key] : [])),
    [edits, slots],
  );
  const changes = useMemo(
    () => changesSince(seen ?? NO_SLOTS, seen && slots ? slots : (seen ?? NO_SLOTS)),
    [seen, slots],
  );
  /** Constant, because effects subscribe with it. */
  const onFocusRequest = useCallback(
    (lead: FocusListener) => {
      focusListeners.add(lead);
      return () => focusListeners.delete(lead);
    },
    [focusListeners],
  );
  const change: DraftStore['change'] = (how) => {
    const before = store.get().edits;
    store.change(how);
    for (const key of before.keys()) if (!store.get().edits.has(key)) typed.current.delete(key);
  };
  const cells: Cells = {
    matrix: matrix ?? null,
    version: lines?.version ?? 0,
    editable,
    draft,
    conflicts,
    faulty,
    changes,
    change,
    slotOf: (key) => slots?.get(key) ?? seen?.get(key),
    settle: (takes) => {
      if (!slots) return;
      change((now) => decide(now, slots, takes));
      setSeen(() => slots);
    },
    discard: () => change(() => ({ ...EMPTY })),
    focusCell: (key) => {
      setHighlighted(NO_KEYS);
      for (const lead of focusListeners) lead([key], 'correct');
    },
    highlight: (keys) => {
      setHighlighted(keys.length === 0 ? NO_KEYS : new Set(keys));
      if (keys.length > 0) for (const lead of focusListeners) lead(keys, 'see');
    },
    highlighted,
    onFocusRequest,
  };
  return <CellsContext value={cells}>{children}</CellsContext>;
}

/** Commits the text of the focused field, which keeps the focus. */
export function blurField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.dataset.held === undefined) return;
  field.blur();
  field.focus();
}
