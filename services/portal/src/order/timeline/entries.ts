import type { components } from '@po/client';
import { isAutomaticApproval } from '../../approvals/automatic-approval.js';

export type HistoryEntry = components['schemas']['HistoryEntry'];
type Change = components['schemas']['HeaderChange'];
type LineChange = components['schemas']['LineChange'];

/** The entry of the last status change if a user of another role commented on it, else null. Entries are newest first. */
export function latestComment(entries: readonly HistoryEntry[], role: string): HistoryEntry | null {
  const last = entries.find(({ fromStatusId, toStatusId }) => fromStatusId !== toStatusId);
  const isComment = last !== undefined && last.comment !== null && !isAutomaticApproval(last);
  return isComment && last.actorRole !== role ? last : null;
}

/** One change of an entry. `of`: the cell, or null for the header. A price belongs to its line item and has no size. */
export interface Difference {
  field: string;
  from: Change['from'];
  to: Change['to'];
  of: string | null;
}

/** The changes of an entry, header first. The same price change in several cells of a line item is one difference. */
export function differencesOf({ changes }: HistoryEntry): Difference[] {
  if (changes === null) return [];
  const header = changes.header.map(({ field, from, to }) => ({ field, from, to, of: null }));
  const lines = new Map<string, Difference>();
  for (const { field, from, to, ...cell } of changes.lines) {
    const difference = { field, from, to, of: nameOf(field, cell) };
    lines.set(JSON.stringify(difference), difference);
  }
  return [...header, ...lines.values()];
}

const nameOf = (field: string, { style, color, size }: Pick<LineChange, 'style' | 'color' | 'size'>): string =>
  (PRICES.has(field) ? [style, color] : [style, color, size]).filter(Boolean).join(' · ');

export const PRICES: ReadonlySet<string> = new Set(['unitPrice', 'vendorReplyUnitPrice']);
