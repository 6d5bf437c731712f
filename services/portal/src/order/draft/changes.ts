import { type Slot, type SlotKey, currentOf } from '../lines/size-matrix.js';
import type { Edits, Slots } from './draft.js';

/** A cell that has another value than it had when it was looked at; null where it was, or is, not there. */
export interface CellChange {
  key: SlotKey;
  slot: Slot;
  before: number | null;
  now: number | null;
}

/** What others made of cells since they were looked at, in the order of the rows; what was removed comes last. */
export function changesSince(seen: Slots, slots: Slots): CellChange[] {
  if (seen === slots) return [];
  const there = [...slots.values()].flatMap((slot): CellChange[] => {
    const old = seen.get(slot.key);
    const [before, now] = [old ? currentOf(old) : null, currentOf(slot)];
    return before === now ? [] : [{ key: slot.key, slot, before, now }];
  });
  const gone = [...seen.values()].flatMap((slot): CellChange[] =>
    slots.has(slot.key) ? [] : [{ key: slot.key, slot, before: currentOf(slot), now: null }],
  );
  return [...there, ...gone];
}

/** What was looked at, with the cells of these edits as they were saved: one's own changes are no news. */
export function seenWith(seen: Slots, sent: Edits, slots: Slots): Slots {
  const next = new Map(seen);
  for (const key of sent.keys()) {
    const slot = slots.get(key);
    if (slot) next.set(key, slot);
  }
  return next;
}
