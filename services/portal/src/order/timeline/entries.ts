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

/**
 * One change of an entry. `of`: the line, or null for the header. A price belongs to its line item and has no size. The code is named if
 * several codes of the entry have the same style and color.
 */
export interface Difference {
  field: string;
  from: Change['from'];
  to: Change['to'];
  of: string | null;
}

/** The changes of an entry, header first. The same price change in several sizes of a line item is one difference. */
export function differencesOf({ changes }: HistoryEntry): Difference[] {
  if (changes === null) return [];
  const header = changes.header.map(({ field, from, to }) => ({ field, from, to, of: null }));
  const lines = new Map<string, Difference>();
  const codes = codesByItem(changes.lines);
  for (const line of changes.lines) {
    const { field, from, to, rowHash, code, style, color, size } = line;
    const isPrice = PRICES.has(field);
    const names = [codes.get(itemOf(line))?.size !== 1 && code, style, color, !isPrice && size];
    const key = JSON.stringify(isPrice ? [field, code, style, color, from, to] : [field, rowHash]);
    lines.set(key, { field, from, to, of: names.filter(Boolean).join(' · ') });
  }
  return [...header, ...lines.values()];
}

const itemOf = ({ style, color }: LineChange): string => JSON.stringify([style, color]);

function codesByItem(lines: readonly LineChange[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const line of lines) codes.set(itemOf(line), (codes.get(itemOf(line)) ?? new Set()).add(line.code));
  return codes;
}

export const PRICES: ReadonlySet<string> = new Set(['unitPrice', 'vendorReplyUnitPrice']);
