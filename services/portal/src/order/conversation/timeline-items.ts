import type { Message } from '../../api/schemas.js';
import type { HistoryEntry } from '../timeline/entries.js';

/** An item of an order's timeline: a change or a message. */
export type TimelineItem =
  | { kind: 'change'; id: string; at: string; entry: HistoryEntry }
  | { kind: 'message'; id: string; at: string; message: Message };

export const FILTERS = ['all', 'messages', 'changes'] as const;
export type Filter = (typeof FILTERS)[number];

const changeOf = (entry: HistoryEntry): TimelineItem => ({ kind: 'change', id: entry.id, at: entry.occurredAt, entry });
const messageOf = (message: Message): TimelineItem => ({
  kind: 'message',
  id: message.id,
  at: message.createdAt,
  message,
});

const timeOf = ({ at }: TimelineItem): number => Date.parse(at);

/** User id of the author; null for the inventory system. */
const authorOf = (item: TimelineItem): string | null =>
  item.kind === 'change' ? item.entry.actorId : item.message.authorId;

/**
 * Merges changes and messages, newest first. Each list keeps the server's order. `hasOlder`: older messages are not loaded yet. Changes
 * older than the oldest loaded message are left out until then, because they would move down later.
 */
export function mergeTimeline(
  entries: readonly HistoryEntry[],
  messages: readonly Message[],
  { filter, hasOlder }: { filter: Filter; hasOlder: boolean },
): TimelineItem[] {
  const written =
    filter === 'changes' ? [] : [...new Map(messages.map((one) => [one.id, one])).values()].map(messageOf);
  const done = filter === 'messages' ? [] : entries.map(changeOf);
  const oldest = written.at(-1);
  const waitsFrom = hasOlder && oldest ? timeOf(oldest) : Number.NEGATIVE_INFINITY;
  const story: TimelineItem[] = [];
  for (const change of done) {
    if (timeOf(change) < waitsFrom) break;
    while (written[0] && timeOf(written[0]) > timeOf(change)) story.push(...written.splice(0, 1));
    story.push(change);
  }
  return [...story, ...written];
}

/** Changes and messages by others after an instant; none if it is null, that is on the first visit. */
export function newSince(story: readonly TimelineItem[], instant: string | null, me: string): TimelineItem[] {
  if (instant === null) return [];
  const from = Date.parse(instant);
  return story.filter((item) => timeOf(item) > from && authorOf(item) !== me);
}

/** Id of the last item above the divider between new and seen items; null if no divider is needed. */
export function lastNew(story: readonly TimelineItem[], instant: string | null, me: string): string | null {
  if (instant === null || newSince(story, instant, me).length === 0) return null;
  const from = Date.parse(instant);
  return story.findLast((item) => timeOf(item) > from)?.id ?? null;
}

/** Number of items to show so that the one at `place` is included, in steps of `page`. */
export const pagesWith = (place: number, shown: number, page: number): number =>
  place < shown ? shown : shown + Math.ceil((place + 1 - shown) / page) * page;
