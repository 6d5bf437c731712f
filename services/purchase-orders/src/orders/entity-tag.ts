import { ProblemError } from '@po/contracts';
import { isOverdue } from '../lists/summary.view.js';
import type { ReadOrder } from '../store/order-rows.js';

/** The entity tag of an order's version. */
export const etagOf = (version: number): string => `"${version}"`;

/** VERSION_MISMATCH, with the current tag, when `If-Match` is there and names another version; else null. */
export function stalenessOf(ifMatch: string | null, version: number): ProblemError | null {
  if (ifMatch === null) return null;
  const tags = tagsOf(ifMatch);
  // Strong comparison: a weak tag never matches here.
  if (tags.includes('*') || tags.includes(etagOf(version))) return null;
  return new ProblemError('VERSION_MISMATCH', { currentVersion: version }, { headers: { etag: etagOf(version) } });
}

/**
 * True when `If-None-Match` says that the caller has this version already. What a version shows may have moved since it was made: then its
 * tag, which is the version alone (contract, 6.2), does not tell what the caller has.
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

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());
