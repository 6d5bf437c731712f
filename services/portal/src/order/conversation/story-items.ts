import type { Message } from '../../api/schemas.js';
import type { HistoryEntry } from '../timeline/entries.js';

/** One thing that happened to an order: somebody changed it, or wrote about it. */
export type StoryItem =
  | { kind: 'change'; id: string; at: string; entry: HistoryEntry }
  | { kind: 'message'; id: string; at: string; message: Message };

export const FILTERS = ['all', 'messages', 'changes'] as const;
export type Filter = (typeof FILTERS)[number];

const changeOf = (entry: HistoryEntry): StoryItem => ({ kind: 'change', id: entry.id, at: entry.occurredAt, entry });
const messageOf = (message: Message): StoryItem => ({
  kind: 'message',
  id: message.id,
  at: message.createdAt,
  message,
});

const timeOf = ({ at }: StoryItem): number => Date.parse(at);

/** Who did or wrote it; null for the inventory system. */
const authorOf = (item: StoryItem): string | null =>
  item.kind === 'change' ? item.entry.actorId : item.message.authorId;

/**
 * Both lists, newest first, as one. Each keeps its own order, which is the server's. `hasOlder`: there are older messages that are not
 * loaded; changes from before the oldest loaded one wait for them, as they would have to move down otherwise.
 */
export function storyOf(
  entries: readonly HistoryEntry[],
  messages: readonly Message[],
  { filter, hasOlder }: { filter: Filter; hasOlder: boolean },
): StoryItem[] {
  const written =
    filter === 'changes' ? [] : [...new Map(messages.map((one) => [one.id, one])).values()].map(messageOf);
  const done = filter === 'messages' ? [] : entries.map(changeOf);
  const oldest = written.at(-1);
  const waitsFrom = hasOlder && oldest ? timeOf(oldest) : Number.NEGATIVE_INFINITY;
  const story: StoryItem[] = [];
  for (const change of done) {
    if (timeOf(change) < waitsFrom) break;
    while (written[0] && timeOf(written[0]) > timeOf(change)) story.push(...written.splice(0, 1));
    story.push(change);
  }
  return [...story, ...written];
}

/** What others did and wrote after an instant. Null: nothing was seen yet, and nothing is new. */
export function newSince(story: readonly StoryItem[], instant: string | null, me: string): StoryItem[] {
  if (instant === null) return [];
  const from = Date.parse(instant);
  return story.filter((item) => timeOf(item) > from && authorOf(item) !== me);
}

/** The last item above the line between what is new and what was seen before; null where no such line is needed. */
export function lastNew(story: readonly StoryItem[], instant: string | null, me: string): string | null {
  if (instant === null || newSince(story, instant, me).length === 0) return null;
  const from = Date.parse(instant);
  return story.findLast((item) => timeOf(item) > from)?.id ?? null;
}

/** How many items are to be shown, `page` at a time, so that the one at `place` is among them. */
export const pagesWith = (place: number, shown: number, page: number): number =>
  place < shown ? shown : shown + Math.ceil((place + 1 - shown) / page) * page;
