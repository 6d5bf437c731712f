import { etagOf, tagsOf } from '@po/messaging';
import { isOverdue } from '../lists/summary.view.js';
import type { ReadOrder } from '../store/order-rows.js';

/**
 * True if `If-None-Match` says that the caller already has this version. `moved`: the version's content has changed since it was created,
 * so that its tag, which is only the version number, does not prove what the caller has.
 */
export function hasVersion(ifNoneMatch: string | null, version: number, moved = false): boolean {
  const tags = ifNoneMatch === null ? [] : tagsOf(ifNoneMatch).map((tag) => tag.replace(/^W\//, ''));
  return tags.includes('*') || (!moved && tags.includes(etagOf(version)));
}

/** Whether the detail has changed since its version was created: `lastSyncedAt`, `nextDue`, the vendor's name or `isOverdue`. */
export function movedUnderVersion(row: ReadOrder, now: Date): boolean {
  const { updatedAt, lastSyncedAt, vendorRenamedAt, remindersMovedAt } = row;
  return (
    lastSyncedAt > updatedAt ||
    (remindersMovedAt !== null && remindersMovedAt > updatedAt) ||
    (vendorRenamedAt !== null && vendorRenamedAt > updatedAt) ||
    isOverdue(row, now) !== isOverdue(row, updatedAt)
  );
}
