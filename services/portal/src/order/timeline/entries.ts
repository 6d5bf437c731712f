import type { components } from '@po/client';
import { anchorOf } from '../../components/history-anchor.js';

export type HistoryEntry = components['schemas']['HistoryEntry'];
type Change = components['schemas']['HeaderChange'];
type LineChange = components['schemas']['LineChange'];

/** By what people look for an entry; `all` is every one. */
const KINDS = ['all', 'changes', 'comments', 'status', 'source'] as const;
export type Kind = (typeof KINDS)[number];

const IS: Record<Kind, (entry: HistoryEntry) => boolean> = {
  all: () => true,
  changes: ({ changes }) => changes !== null,
  comments: ({ comment }) => comment !== null,
  status: ({ fromStatusId, toStatusId }) => fromStatusId !== toStatusId,
  source: ({ actorRole }) => actorRole === 'SYSTEM',
};

/** Entries of a kind, in their order. */
export const ofKind = (entries: readonly HistoryEntry[], kind: Kind): HistoryEntry[] => entries.filter(IS[kind]);

/** What one can look for in these: every kind that some of them are, and others are not. */
export const kindsIn = (entries: readonly HistoryEntry[]): Kind[] =>
  KINDS.filter((kind) => kind === 'all' || (entries.some(IS[kind]) && !entries.every(IS[kind])));

/** How many entries are to be shown so that one is among them: `page` at a time. Where it is not there, what is shown already. */
export function shownWith(entries: readonly HistoryEntry[], anchor: string, shown: number, page: number): number {
  const place = entries.findIndex(({ id }) => anchorOf(id) === anchor);
  return place < shown ? shown : shown + Math.ceil((place + 1 - shown) / page) * page;
}

/** What somebody of another role wrote when they brought the order to where it stands; entries newest first. */
export function latestComment(entries: readonly HistoryEntry[], role: string): HistoryEntry | null {
  const last = entries.find(IS.status);
  return last !== undefined && last.comment !== null && last.actorRole !== role ? last : null;
}

/** One thing that an entry changed. `of`: the cell, or nothing for the order itself; a price is its item's, and has no size. */
export interface Difference {
  field: string;
  from: Change['from'];
  to: Change['to'];
  of: string | null;
}

/** What an entry changed, the order itself first. Cells of one item whose price changed alike are one difference. */
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
