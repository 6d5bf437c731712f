import { type Changes, EVENT_TYPES, type NotificationCreated, TOPICS } from '@po/contracts';
import { type OutboxEntry, cloudEventHeaders } from '@po/messaging';
import { notificationView } from '../inbox/notification.view.js';
import type { DefaultPreferences } from '../preferences/default-preferences.js';
import type { Delivery, EntryRow } from './entry-rows.js';

/** An order has thousands of lines, and each user gets a record of their own. */
const EXCERPT_LINES = 10;

/** An entry that is to be stored, and what the records about it show beside it. */
export interface Announced {
  row: EntryRow;
  changes: NotificationCreated['changes'];
  traceparent: string;
}

/** The part of changes that a record has room for. */
export function excerptOf(changes: Changes | null): NotificationCreated['changes'] {
  if (changes === null) return null;
  const { header, lines } = changes;
  return {
    header,
    lines: lines.slice(0, EXCERPT_LINES),
    more: Math.max(0, lines.length - EXCERPT_LINES),
  };
}

/** The record of one notification, in its user's language and by what the user chose, or else by default. */
export function announcement(
  { row, changes, traceparent }: Announced,
  { id, userId, seq, createdAt, email, locale, chosen }: Delivery,
  defaults: DefaultPreferences,
): OutboxEntry {
  const { mail, timeZone, digestAt } = defaults.complete(chosen, locale);
  const notification: NotificationCreated = {
    userId,
    email,
    locale: chosen?.locale ?? locale,
    ...notificationView(row, { id, createdAt, readAt: null }),
    occurredAt: row.occurredAt,
    delivery: { mail: mail[row.kind], timeZone, digestAt },
    changes,
  };
  const headers = cloudEventHeaders({
    id,
    type: EVENT_TYPES.notificationCreated,
    source: '/notifications',
    subject: row.poRef,
    time: notification.createdAt,
  });
  return {
    key: row.poRef,
    version: seq,
    messages: [{ topic: TOPICS.notifications, headers, value: JSON.stringify(notification) }],
    traceparent,
  };
}
