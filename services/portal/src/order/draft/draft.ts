import { type Slot, type SlotKey, currentOf } from '../lines/size-matrix.js';
import type { Typed } from './parse-input.js';

/** An unsaved value of a cell, with the values that it was typed over. */
export interface Edit {
  typed: Typed;
  /** The cell's original and reply that the user saw. */
  original: number;
  reply: number | null;
}

export type Edits = ReadonlyMap<SlotKey, Edit>;
/** Cells by key, as last read from the API. */
export type Slots = ReadonlyMap<SlotKey, Slot>;

interface Change {
  key: SlotKey;
  before: Edit | undefined;
  after: Edit | undefined;
}

/** Changes that are undone together. */
export type Step = readonly Change[];

/** Unsaved edits with their steps. A new step discards the undone ones. */
export interface Draft {
  edits: Edits;
  done: readonly Step[];
  undone: readonly Step[];
}

/** A cell with an unsaved value that somebody else changed. */
export interface Conflict {
  key: SlotKey;
  /** The value that the user typed over. */
  before: number;
  mine: Typed;
  /** The present value; null if the cell no longer exists. */
  theirs: number | null;
}

export const EMPTY: Draft = { edits: new Map(), done: [], undone: [] };

/** Undo steps kept. Each may be a paste of a whole order. */
const MAX_STEPS = 200;

/** Types into cells as one step. Returns the same draft if nothing changes. */
export function type(draft: Draft, entries: readonly (readonly [Slot, Typed])[]): Draft {
  const changes: Change[] = [];
  for (const [slot, typed] of new Map(entries.map((entry) => [entry[0].key, entry])).values()) {
    const before = draft.edits.get(slot.key);
    const after = editOf(slot, typed, before);
    if (before?.typed !== after?.typed) changes.push({ key: slot.key, before, after });
  }
  if (changes.length === 0) return draft;
  return { edits: applied(draft.edits, changes), done: [...draft.done, changes].slice(-MAX_STEPS), undone: [] };
}

/**
 * Types into a cell, keystroke by keystroke, as one step. `own` is the step of the field's previous keystroke, null at the first. If other
 * steps followed it, a new step begins.
 */
export function typeOn(
  draft: Draft,
  entry: readonly [Slot, Typed],
  own: Step | null,
): { draft: Draft; own: Step | null } {
  const isLast = own !== null && draft.done.at(-1) === own;
  const before = isLast ? { ...undo(draft), undone: [] } : draft;
  const after = type(before, [entry]);
  return { draft: after, own: after === before ? null : (after.done.at(-1) ?? null) };
}

/** True if a cell already has this value, saved or typed. */
export function hasValue(edits: Edits, slot: Slot, typed: Typed): boolean {
  const edit = edits.get(slot.key);
  return wantedOf(slot, typed) === (edit ? edit.typed : slot.reply);
}

/** Null restores the original. Typing the original means the same, because it asks for no change. */
const wantedOf = (slot: Slot, typed: Typed): Typed => (typed === slot.original && !slot.isMean ? null : typed);

function editOf(slot: Slot, typed: Typed, before: Edit | undefined): Edit | undefined {
  const wanted = wantedOf(slot, typed);
  if (wanted === slot.reply) return undefined;
  const over = before ?? slot;
  return { typed: wanted, original: over.original, reply: over.reply };
}

function applied(edits: Edits, changes: readonly Change[]): Edits {
  const next = new Map(edits);
  for (const { key, after } of changes) {
    if (after) next.set(key, after);
    else next.delete(key);
  }
  return next;
}

/** Undoes the last step; returns the same draft if there is none. */
export function undo(draft: Draft): Draft {
  const step = draft.done.at(-1);
  if (!step) return draft;
  const back = step.map(({ key, before, after }) => ({ key, before: after, after: before }));
  return { edits: applied(draft.edits, back), done: draft.done.slice(0, -1), undone: [...draft.undone, step] };
}

export function redo(draft: Draft): Draft {
  const step = draft.undone.at(-1);
  if (!step) return draft;
  return { edits: applied(draft.edits, step), done: [...draft.done, step], undone: draft.undone.slice(0, -1) };
}

/**
 * The draft without values that the newly read cells already have. If any value is dropped, the undo steps are too, because they would
 * restore outdated states.
 */
export function settle(draft: Draft, slots: Slots): Draft {
  const left = [...draft.edits].filter(([key, { typed }]) => {
    const slot = slots.get(key);
    return !slot || typed !== slot.reply;
  });
  return left.length === draft.edits.size ? draft : { ...EMPTY, edits: new Map(left) };
}

/** Cells whose value others changed after the user typed into them, in the order of typing. */
export function conflictsOf(edits: Edits, slots: Slots): Conflict[] {
  return [...edits].flatMap(([key, { typed: mine, original, reply }]): Conflict[] => {
    const slot = slots.get(key);
    const before = currentOf({ original, reply });
    if (!slot) return [{ key, before, mine, theirs: null }];
    const theirs = currentOf(slot);
    // Restoring the original means the original that the user saw.
    const isSame = theirs === before && (mine !== null || slot.original === original);
    return isSame || mine === slot.reply ? [] : [{ key, before, mine, theirs }];
  });
}

/** Resolves conflicts: others' value if `takes` returns true, else mine, based on the present value. Edits of removed cells go. */
export function decide(draft: Draft, slots: Slots, takes: (key: SlotKey) => boolean): Draft {
  const conflicts = conflictsOf(draft.edits, slots);
  if (conflicts.length === 0) return draft;
  const edits = new Map(draft.edits);
  for (const { key, mine } of conflicts) {
    const slot = slots.get(key);
    if (!slot || takes(key)) edits.delete(key);
    else edits.set(key, { typed: mine, original: slot.original, reply: slot.reply });
  }
  return settle({ ...EMPTY, edits }, slots);
}

/**
 * The draft after some edits were saved. A value typed into their cells during the save stays unsaved, even if it is the value from before
 * the edit. An edit that vanished without a step was already read as saved.
 */
export function afterSave(draft: Draft, sent: Edits, slots: Slots): Draft {
  const stepped = new Set([...draft.done, ...draft.undone].flat().map(({ key }) => key));
  const later = [...sent].flatMap(([key, before]): [SlotKey, Edit][] => {
    const slot = slots.get(key);
    const typed = draft.edits.has(key) || !stepped.has(key) ? draft.edits.get(key)?.typed : before.reply;
    const isLater = slot !== undefined && typed !== undefined && before.typed !== typed;
    return isLater ? [[key, { typed, original: slot.original, reply: slot.reply }]] : [];
  });
  return later.length === 0 ? draft : { ...EMPTY, edits: new Map([...draft.edits, ...later]) };
}

/** Value of a cell after saving. An invalid entry counts as not typed. */
export function valueOf(slot: Slot, edits: Edits): number {
  const typed = edits.get(slot.key)?.typed;
  if (typed === null) return slot.original;
  return typeof typed === 'number' ? typed : currentOf(slot);
}
