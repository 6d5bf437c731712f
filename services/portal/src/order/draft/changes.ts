import { type Slot, type SlotKey, currentOf } from '../lines/size-matrix.js';
import type { Slots } from './draft.js';
import type { Typed } from './parse-input.js';

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

/** The cells that the user saw, including those that have one of these values: the user typed it, or typed over it. */
export function seenWith(seen: Slots, values: Iterable<readonly [SlotKey, Typed]>, slots: Slots): Slots {
  const own = [...values].flatMap(([key, value]) => {
    const slot = slots.get(key);
    return slot && currentOf(slot) === value ? [[key, slot] as const] : [];
  });
  return own.length === 0 ? seen : new Map([...seen, ...own]);
}
