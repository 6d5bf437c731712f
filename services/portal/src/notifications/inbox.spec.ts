import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Notification } from '../api/schemas.js';
import { anchorOfItem, byDay, isShownBy, partOf, withRead } from './inbox.js';

const item = (changes: Partial<Notification>) =>
  ({
    id: '1',
    read: false,
    readAt: null,
    createdAt: '2027-03-15T10:00:00.000Z',
    action: 'SUBMIT',
    ...changes,
  }) as Notification;
const dayOf = (instant: string) => instant.slice(0, 10);

describe('notifications', () => {
  it('are grouped by day, in order and without duplicates', () => {
    const ids = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 10, max: 19 })));
    fc.assert(
      fc.property(ids, (all) => {
        const items = all
          .toSorted(([, one], [, other]) => other - one)
          .map(([id, day]) => item({ id: String(id), createdAt: `2027-03-${day}T10:00:00.000Z` }));
        const days = byDay(items, dayOf);
        const shown = days.flatMap((day) => day.items);
        expect(shown.map(({ id }) => id)).toEqual([...new Set(items.map(({ id }) => id))]);
        expect(new Set(days.map(({ name }) => name)).size).toBe(days.length);
        for (const day of days) expect(day.items.map(({ createdAt }) => dayOf(createdAt))).toContain(day.name);
      }),
    );
  });

  it.each([
    ['SUBMIT', 'replies', true],
    ['APPROVE', 'replies', false],
    ['REJECT', 'decisions', true],
    ['MARK_SHIPPED', 'goods', true],
    ['SOURCE_CONFLICT', 'source', true],
    ['SUBMIT', 'all', true],
    ['SUBMIT', 'unread', true],
    ['SOMETHING_NEW', 'source', false],
    ['SOMETHING_NEW', 'all', true],
  ] as const)('of the action %s are shown by the filter %s: %s', (action, filter, is) => {
    expect(isShownBy(item({ action: action as Notification['action'] }), filter)).toBe(is);
  });

  it.each([
    [{ kind: 'REMINDER', action: null }, 'reminders', true],
    [{ kind: 'REMINDER', action: null }, 'replies', false],
    [{ kind: 'REMINDER', action: null }, 'all', true],
    [{ kind: 'MESSAGE', action: null }, 'reminders', false],
    [{ kind: 'MESSAGE', action: null }, 'messages', true],
    [{ kind: 'MESSAGE', action: null }, 'replies', false],
    [{ kind: 'TRANSITION' }, 'messages', false],
    [{ action: 'SUBMIT' }, 'reminders', false],
    [{ action: 'SUBMIT' }, 'replies', true],
    [{ action: 'RECALL', actorRole: 'VENDOR' }, 'replies', true],
    [{ action: 'RECALL', actorRole: 'BUYER' }, 'replies', false],
    [{ action: 'RECALL', actorRole: 'BUYER' }, 'decisions', true],
  ] as const)('like %j are shown by the filter %s: %s', (changes, filter, is) => {
    expect(isShownBy(item(changes), filter)).toBe(is);
  });

  it('are requested by filter if the server knows the filter, and otherwise selected from all', () => {
    const filters = ['unread', 'messages', 'reminders', 'replies'] as const;
    expect(filters.map(partOf)).toEqual(['unread', 'messages', 'reminders', 'all']);
  });

  it.each([
    [{ historyId: '7', messageId: null }, 'entry-7'],
    [{ historyId: '7' }, 'entry-7'],
    [{ historyId: null, messageId: 'm' }, 'message-m'],
    [{ historyId: null, messageId: null }, null],
  ])('like %j link to %j', (changes, anchor) => {
    expect(anchorOfItem(item(changes))).toBe(anchor);
  });

  it('are marked as read singly or together, and keep an earlier time', () => {
    const earlier = item({ id: '3', read: true, readAt: 'before' });
    const inbox = { pages: [[item({ id: '1' }), item({ id: '2' })], [earlier]], pageParams: [{}, {}] };
    const read = (id: string) =>
      withRead(inbox, id, 'now')
        .pages.flat()
        .map(({ readAt }) => readAt);
    expect(read('2')).toEqual([null, 'now', 'before']);
    expect(read('all')).toEqual(['now', 'now', 'before']);
    expect(read('9')).toEqual([null, null, 'before']);
    expect(inbox.pages[0]?.[0]?.read).toBe(false);
  });
});
