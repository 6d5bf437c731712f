import { type Slot, type SlotKey, currentOf } from '../lines/size-matrix.js';
import type { Typed } from './parse-input.js';

/** What was typed into a cell that is not saved, and what it was typed over. */
export interface Edit {
  typed: Typed;
  /** The cell's original and reply as they were looked at. */
  original: number;
  reply: number | null;
}

export type Edits = ReadonlyMap<SlotKey, Edit>;
/** Cells by name, as the API has them now. */
export type Slots = ReadonlyMap<SlotKey, Slot>;

interface Change {
  key: SlotKey;
  before: Edit | undefined;
  after: Edit | undefined;
}

/** What was typed at once, which is undone at once. */
export type Step = readonly Change[];

/** What was typed, with the steps that led there; what follows a step that was undone is forgotten with the next one. */
export interface Draft {
  edits: Edits;
  done: readonly Step[];
  undone: readonly Step[];
}

/** Somebody else changed a cell under what was typed. */
export interface Conflict {
  key: SlotKey;
  /** The value that it was typed over. */
  before: number;
  mine: Typed;
  /** The value that holds now; null where the cell is no longer there. */
  theirs: number | null;
}

export const EMPTY: Draft = { edits: new Map(), done: [], undone: [] };

/** A paste of a whole order, many times over. */
const MAX_STEPS = 200;

/** Types into cells, as one step. What leaves all as it is, is none. */
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
 * Types into a cell, key by key, as one step: `own` is the one that the field made before, null with its first key. A step that others
 * followed stays as it is.
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

/** Whether a cell has this already, as it is saved or typed. */
export function has(edits: Edits, slot: Slot, typed: Typed): boolean {
  const edit = edits.get(slot.key);
  return wantedOf(slot, typed) === (edit ? edit.typed : slot.reply);
}

/** Null goes back to the original; typing the original is the same, for it asks for no change. */
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

/** The draft without its last step, and the cells that it was about. */
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
 * The draft over cells that were read anew: what they say now is no longer unsaved. Steps would lead back to what is no longer true, so
 * where anything goes they are forgotten.
 */
export function settle(draft: Draft, slots: Slots): Draft {
  const left = [...draft.edits].filter(([key, { typed }]) => {
    const slot = slots.get(key);
    return !slot || typed !== slot.reply;
  });
  return left.length === draft.edits.size ? draft : { ...EMPTY, edits: new Map(left) };
}

/** Cells that others gave another value since they were typed into, in the order of typing. */
export function conflictsOf(edits: Edits, slots: Slots): Conflict[] {
  return [...edits].flatMap(([key, { typed: mine, original, reply }]): Conflict[] => {
    const slot = slots.get(key);
    const before = currentOf({ original, reply });
    if (!slot) return [{ key, before, mine, theirs: null }];
    const theirs = currentOf(slot);
    // Who goes back to the original means the one that was looked at.
    const isSame = theirs === before && (mine !== null || slot.original === original);
    return isSame || mine === slot.reply ? [] : [{ key, before, mine, theirs }];
  });
}

/** Ends conflicts: theirs where `takes` says so, else mine, typed anew over what is there now. A cell that is gone cannot be kept. */
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
 * The draft after these edits of it were saved: what was typed into their cells meanwhile is typed over what was saved, also what they had
 * before. An edit that is gone without a step was read anew as saved.
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

/** The value that a cell would have once it is saved; what cannot be saved counts as if it were not typed. */
export function valueOf(slot: Slot, edits: Edits): number {
  const typed = edits.get(slot.key)?.typed;
  if (typed === null) return slot.original;
  return typeof typed === 'number' ? typed : currentOf(slot);
}
