import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Message } from '../../api/schemas.js';
import type { HistoryEntry } from '../timeline/entries.js';
import { type TimelineItem, lastNew, newSince, pagesWith, mergeTimeline } from './timeline-items.js';

const instant = (second: number) => new Date(Date.UTC(2027, 2, 1, 0, 0, second)).toISOString();
const change = (second: number, actorId: string | null = 'buyer') =>
  ({ id: `c${second}`, occurredAt: instant(second), actorId }) as HistoryEntry;
const message = (second: number, authorId = 'vendor') =>
  ({ id: `m${second}`, createdAt: instant(second), authorId }) as Message;
const idsOf = (story: readonly TimelineItem[]) => story.map(({ id }) => id);
const whole = { filter: 'all', hasOlder: false } as const;

/** Seconds, newest first; some may be equal. */
const times = fc.array(fc.nat(40), { maxLength: 20 }).map((all) => all.toSorted((a, b) => b - a));
const entriesAt = (seconds: readonly number[]) =>
  seconds.map((second, index) => ({ ...change(second), id: `c${index}` }));
const messagesAt = (seconds: readonly number[]) =>
  seconds.map((second, index) => ({ ...message(second), id: `m${index}` }));

describe('the timeline of an order', () => {
  it('lists every change and message once, newest first, and keeps the order within each kind', () => {
    fc.assert(
      fc.property(times, times, (changed, written) => {
        const [entries, messages] = [entriesAt(changed), messagesAt(written)];
        const story = mergeTimeline(entries, messages, whole);
        expect(story.map(({ at }) => at)).toEqual(
          story
            .map(({ at }) => at)
            .toSorted()
            .toReversed(),
        );
        for (const [kind, all] of [
          ['change', entries],
          ['message', messages],
        ] as const) {
          expect(idsOf(story.filter((item) => item.kind === kind))).toEqual(all.map(({ id }) => id));
        }
      }),
    );
  });

  it('grows only at its end when older messages are loaded', () => {
    fc.assert(
      // At least one message is loaded: before the first page, the times of messages are unknown.
      fc.property(times, times, fc.integer({ min: 1, max: 20 }), (changed, written, loaded) => {
        const [entries, messages] = [entriesAt(changed), messagesAt(written)];
        const part = mergeTimeline(entries, messages.slice(0, loaded), {
          filter: 'all',
          hasOlder: loaded < messages.length,
        });
        expect(idsOf(mergeTimeline(entries, messages, whole)).slice(0, part.length)).toEqual(idsOf(part));
      }),
    );
  });

  it('lists a message once if two pages contain it', () => {
    expect(idsOf(mergeTimeline([], [message(3), message(2), message(2)], whole))).toEqual(['m3', 'm2']);
  });

  it('can show all messages without changes, or all changes without messages', () => {
    const given = [[change(1), change(0)], [message(2)]] as const;
    expect(idsOf(mergeTimeline(...given, { filter: 'messages', hasOlder: true }))).toEqual(['m2']);
    expect(idsOf(mergeTimeline(...given, { filter: 'changes', hasOlder: true }))).toEqual(['c1', 'c0']);
  });

  const story = mergeTimeline([change(4), change(1)], [message(3), message(2, 'me')], whole);

  it.each([
    ['nothing on the first visit', null, [], null],
    ['later changes and messages by others', instant(1), ['c4', 'm3'], 'm2'],
    ['nothing if the user saw everything', instant(4), [], null],
    ['everything by others if the user saw none of it', instant(0), ['c4', 'm3', 'c1'], 'c1'],
  ])('marks as new %s', (_what, since, ids, last) => {
    expect(idsOf(newSince(story, since, 'me'))).toEqual(ids);
    expect(lastNew(story, since, 'me')).toBe(last);
  });

  it('has no divider if only the reader has written since', () => {
    expect(lastNew(mergeTimeline([], [message(3, 'me'), message(1)], whole), instant(2), 'me')).toBeNull();
  });

  it('counts changes by the inventory system as changes by others', () => {
    expect(newSince(mergeTimeline([change(4, null)], [], whole), instant(2), 'me')).toHaveLength(1);
  });

  it('shows whole pages up to the item that a link leads to', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (place, page) => {
        const shown = pagesWith(place, page, page);
        expect(shown % page).toBe(0);
        expect(shown).toBeGreaterThan(place);
        expect(shown - page).toBeLessThanOrEqual(Math.max(place, 0));
      }),
      { examples: [[8, 8]] },
    );
  });
});
