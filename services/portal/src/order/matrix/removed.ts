import type { components } from '@po/client';
import type { Slot, SlotKey } from './model.js';

type DiffLine = components['schemas']['PurchaseOrderDiff']['lines'][number];

/** Cells that the inventory system removed: the API tells them by a quantity of 0, and has no line of them. `before`: agreed, else original. */
export function removedOf(lines: readonly DiffLine[], slots: ReadonlyMap<SlotKey, Slot>) {
  return lines
    .filter(({ field, rowHash }) => field === 'qty' && !slots.has(`quantity:${rowHash}`))
    .map(({ rowHash, style, color, size, original, agreed }) => ({
      rowHash,
      name: [style, color, size].filter(Boolean).join(' · '),
      before: Number(agreed ?? original),
    }));
}
