import { createSafeContext } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { TEXTS, useStorageKey } from '../../storage/use-stored.js';
import { type CellChange, changesSince, seenWith } from '../draft/changes.js';
import { openDraft } from '../draft/draft-store.js';
import {
  type Conflict,
  type Draft,
  EMPTY,
  type Edits,
  type Slots,
  conflictsOf,
  decide,
  settle,
} from '../draft/draft.js';
import { type Matrix, type Slot, type SlotKey, matrixOf } from '../lines/size-matrix.js';

/** Names of what may be edited, as the API has them. */
export const CELL_FIELDS = { quantity: 'vendorReplyQty', price: 'vendorReplyUnitPrice' } as const;

/** What a user types into the lines of an order. Nothing but `edits` is known before the lines are there. */
export interface Cells {
  matrix: Matrix | null;
  /** Of the order that the lines are of. */
  version: number;
  editable: boolean;
  draft: Draft;
  /** Cells that others changed under what was typed. */
  conflicts: ReadonlyMap<SlotKey, Conflict>;
  /** Cells with what cannot be a value, in the order of typing. */
  faulty: readonly SlotKey[];
  /** What others made of cells since they were looked at, also of those that are typed into. */
  changes: readonly CellChange[];
  /** A cell by its name, also one that was looked at and is gone. */
  slotOf: (key: SlotKey) => Slot | undefined;
  change: (change: (draft: Draft) => Draft) => void;
  /** Ends conflicts, theirs where `takes` says so; others' changes count as looked at. */
  settle: (takes: (key: SlotKey) => boolean) => void;
  discard: () => void;
  leadTo: (key: SlotKey) => void;
  /** Leads to cells that somebody wrote about, and marks them until something else is selected or led to. */
  pointAt: (keys: readonly SlotKey[]) => void;
  /** Cells that are marked so. */
  pointed: ReadonlySet<SlotKey>;
  /** Calls `listener` for the cells to be led to, the first of them and the others with it. Returns what ends that. */
  onLead: (listener: Lead) => () => void;
}

/** `why`: to correct what is typed there, or to see what a message is about. */
type Lead = (keys: readonly SlotKey[], why: 'correct' | 'see') => void;

/** The same ones each time: rows are painted anew for others. */
const NO_KEYS: ReadonlySet<SlotKey> = new Set();
const NO_CONFLICTS: ReadonlyMap<SlotKey, Conflict> = new Map();
const NO_SLOTS: Slots = new Map();

export type CellsStore = ReturnType<typeof useCellsStore>;

/** What is typed into an order's lines, and what of them was looked at: for its page, which is not painted anew for each cell. */
export function useCellsStore(poRef: string) {
  const name = useStorageKey('order', poRef, 'cells');
  const store = useMemo(() => openDraft(TEXTS, name), [name]);
  /** Null until the lines are there. */
  const [seen, setSeen] = useState<Slots | null>(null);
  const sawSaved = useCallback(
    (sent: Edits, slots: Slots) => setSeen((before) => before && seenWith(before, sent, slots)),
    [],
  );
  return { store, seen, setSeen, sawSaved };
}

const [CellsContext, useCells] = createSafeContext<Cells>('no CellsProvider above');
export { useCells };

export function CellsProvider(props: {
  order: OrderDetail;
  lines: OrderLines | undefined;
  kept: CellsStore;
  children: ReactNode;
}) {
  const { order, lines, kept, children } = props;
  const { store, seen, setSeen } = kept;
  const draft = useSyncExternalStore(store.subscribe, store.get);
  const [leaders] = useState(() => new Set<Lead>());
  const [pointed, setPointed] = useState(NO_KEYS);
  const matrix = useMemo(() => lines && matrixOf(lines.data), [lines]);
  const slots = matrix?.slots;
  // Before it is painted: what was just saved would be marked as unsaved for a moment.
  useLayoutEffect(() => {
    if (!slots) return;
    setSeen((before) => before ?? slots);
    store.change((now) => settle(now, slots));
  }, [store, slots, setSeen]);
  // What is being typed is taken into the draft when its field is left, also with the page.
  useWindowEvent('pagehide', leaveField);

  const { edits } = draft;
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
  const version = lines?.version ?? 0;

  const cells = useMemo<Cells>(
    () => ({
      matrix: matrix ?? null,
      version,
      editable,
      draft,
      conflicts,
      faulty,
      changes,
      change: store.change,
      slotOf: (key) => slots?.get(key) ?? seen?.get(key),
      settle: (takes) => {
        if (!slots) return;
        store.change((now) => decide(now, slots, takes));
        setSeen(() => slots);
      },
      discard: () => store.change(() => ({ ...EMPTY })),
      leadTo: (key) => {
        setPointed(NO_KEYS);
        for (const lead of leaders) lead([key], 'correct');
      },
      pointAt: (keys) => {
        setPointed(keys.length === 0 ? NO_KEYS : new Set(keys));
        if (keys.length > 0) for (const lead of leaders) lead(keys, 'see');
      },
      pointed,
      onLead: (lead) => {
        leaders.add(lead);
        return () => leaders.delete(lead);
      },
    }),
    [matrix, version, editable, draft, conflicts, faulty, changes, pointed, leaders, store, slots, seen, setSeen],
  );
  return <CellsContext value={cells}>{children}</CellsContext>;
}

/** Takes what is being typed into a cell; one goes on there. */
export function leaveField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.dataset.held === undefined) return;
  field.blur();
  field.focus();
}
