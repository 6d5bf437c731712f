import { type Slot, type SlotKey, currentOf } from '../lines/size-matrix.js';
import type { Edits, Slots } from './draft.js';

/** A cell whose value changed since the user saw it. A value is null if the cell did not exist or no longer exists. */
export interface CellChange {
  key: SlotKey;
  slot: Slot;
  before: number | null;
  now: number | null;
}

/** Changes by others since the user saw these cells, in row order; removed cells come last. */
export function changesSince(seen: Slots, slots: Slots): CellChange[] {
  if (seen === slots) return [];
  const present = [...slots.values()].flatMap((slot): CellChange[] => {
    const old = seen.get(slot.key);
    const [before, now] = [old ? currentOf(old) : null, currentOf(slot)];
    return before === now ? [] : [{ key: slot.key, slot, before, now }];
  });
  const removed = [...seen.values()].flatMap((slot): CellChange[] =>
    slots.has(slot.key) ? [] : [{ key: slot.key, slot, before: currentOf(slot), now: null }],
  );
  return [...present, ...removed];
}

/** The cells that the user saw, updated with the user's saved edits, which must not appear as changes by others. */
export function seenWith(seen: Slots, sent: Edits, slots: Slots): Slots {
  const next = new Map(seen);
  for (const key of sent.keys()) {
    const slot = slots.get(key);
    if (slot) next.set(key, slot);
  }
  return next;
}
