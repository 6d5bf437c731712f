import { etagOf, tagsOf } from '@po/messaging';
import { isOverdue } from '../lists/summary.view.js';
import type { ReadOrder } from '../store/order-rows.js';

/**
 * True when `If-None-Match` says that the caller has this version already. What a version shows may have moved since it was made: then its
 * tag, which is the version alone, does not tell what the caller has.
 */
export function hasVersion(ifNoneMatch: string | null, version: number, moved = false): boolean {
  const tags = ifNoneMatch === null ? [] : tagsOf(ifNoneMatch).map((tag) => tag.replace(/^W\//, ''));
  return tags.includes('*') || (!moved && tags.includes(etagOf(version)));
}

/**
 * Whether the detail shows anything that was otherwise when its version was made: `lastSyncedAt`, `nextDue`, the vendor's name,
 * `isOverdue`.
 */
export function movedUnderVersion(row: ReadOrder, now: Date): boolean {
  const { updatedAt, lastSyncedAt, vendorRenamedAt, remindersMovedAt } = row;
  return (
    lastSyncedAt > updatedAt ||
    (remindersMovedAt !== null && remindersMovedAt > updatedAt) ||
    (vendorRenamedAt !== null && vendorRenamedAt > updatedAt) ||
    isOverdue(row, now) !== isOverdue(row, updatedAt)
  );
}
