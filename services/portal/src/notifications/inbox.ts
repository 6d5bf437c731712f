import type { InfiniteData } from '@tanstack/react-query';
import { anchorOf, messageAnchorOf } from '../components/order/history-anchor.js';
import type { InboxPart, Notification } from '../api/schemas.js';

export type Inbox = InfiniteData<Notification[]>;

/** By what people look for a notification. */
export const KINDS = ['all', 'unread', 'messages', 'reminders', 'replies', 'decisions', 'goods', 'source'] as const;
export type Kind = (typeof KINDS)[number];

/** What is asked for of the server; the other kinds are found among all that are there. */
export const partOf = (kind: Kind): InboxPart =>
  kind === 'unread' || kind === 'messages' || kind === 'reminders' ? kind : 'all';

const KIND_OF: Record<NonNullable<Notification['action']>, Kind> = {
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

/** The place in its order that it leads to; null where that is all of the order. */
export function anchorOfItem({ historyId, messageId }: Notification): string | null {
  if (messageId !== null && messageId !== undefined) return messageAnchorOf(messageId);
  return historyId === null ? null : anchorOf(historyId);
}

/** What is no action, or is newer than this portal, is of no kind but `all`. */
export function isOfKind(item: Notification, kind: Kind): boolean {
  if (kind === 'all' || kind === 'unread') return true;
  if (kind === 'reminders') return isReminder(item);
  if (kind === 'messages') return isMessage(item);
  return item.action !== null && KIND_OF[item.action] === kind;
}

export interface Day {
  name: string;
  items: Notification[];
}

/** Notifications under their days, in their order. A page that was asked for while a newer one came repeats one of the page before. */
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

/** The same notifications with one of them read, or all of them (`all`), at this instant. */
export const withRead = (inbox: Inbox, id: string, readAt: string): Inbox => ({
  ...inbox,
  pages: inbox.pages.map((page) =>
    page.map((item) => (item.read || (id !== 'all' && item.id !== id) ? item : { ...item, read: true, readAt })),
  ),
});
