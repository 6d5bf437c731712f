import type { InfiniteData } from '@tanstack/react-query';
import { anchorOf, messageAnchorOf } from '../components/order/history-anchor.js';
import type { InboxPart, Notification } from '../api/schemas.js';

export type Inbox = InfiniteData<Notification[]>;

/** Filters of the bell. */
export const FILTERS = ['all', 'unread', 'messages', 'reminders', 'replies', 'decisions', 'goods', 'source'] as const;
export type Filter = (typeof FILTERS)[number];

/** The part to request from the server. Other filters select from all loaded notifications. */
export const partOf = (filter: Filter): InboxPart =>
  filter === 'unread' || filter === 'messages' || filter === 'reminders' ? filter : 'all';

const FILTER_OF: Record<NonNullable<Notification['action']>, Filter> = {
  SUBMIT: 'replies',
  RECALL: 'replies',
  APPROVE: 'decisions',
  REJECT: 'decisions',
  CANCEL: 'decisions',
  MOVE_TO_PRODUCTION: 'goods',
  MARK_SHIPPED: 'goods',
  CONFIRM_DELIVERY: 'goods',
  IMPORT: 'source',
  SOURCE_UPDATE: 'source',
  SOURCE_CANCEL: 'source',
  SOURCE_CONFLICT: 'source',
};

export const isReminder = ({ kind }: Notification): boolean => kind === 'REMINDER';
export const isMessage = ({ kind }: Notification): boolean => kind === 'MESSAGE';

/** URL hash of the notification's place on the page of the order; null if it concerns the whole order. */
export function anchorOfItem({ historyId, messageId }: Notification): string | null {
  if (messageId !== null && messageId !== undefined) return messageAnchorOf(messageId);
  return historyId === null ? null : anchorOf(historyId);
}

/** A notification without an action, or with one newer than this portal, is shown by no filter of actions, only by `all` and `unread`. */
export function isShownBy(item: Notification, filter: Filter): boolean {
  if (filter === 'all' || filter === 'unread') return true;
  if (filter === 'reminders') return isReminder(item);
  if (filter === 'messages') return isMessage(item);
  if (item.action === 'RECALL' && item.actorRole !== 'VENDOR') return filter === 'decisions';
  return item.action !== null && FILTER_OF[item.action] === filter;
}

export interface Day {
  name: string;
  items: Notification[];
}

/** Groups notifications by day. Drops duplicates: if a new one arrives between two requests, the next page repeats an entry. */
export function byDay(items: readonly Notification[], nameOf: (instant: string) => string): Day[] {
  const days: Day[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(item.id)) continue;
    seen.add(item.id);
    const name = nameOf(item.createdAt);
    const day = days.at(-1);
    if (day?.name === name) day.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}

/** Marks one notification, or `all`, as read at this instant. */
export const withRead = (inbox: Inbox, id: string, readAt: string): Inbox => ({
  ...inbox,
  pages: inbox.pages.map((page) =>
    page.map((item) => (item.read || (id !== 'all' && item.id !== id) ? item : { ...item, read: true, readAt })),
  ),
});
