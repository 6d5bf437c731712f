import { type Changes, EVENT_TYPES, type NotificationCreated, TOPICS } from '@po/contracts';
import { type OutboxEntry, cloudEventHeaders } from '@po/messaging';
import { notificationView } from '../inbox/notification.view.js';
import type { DefaultPreferences } from '../preferences/default-preferences.js';
import type { Delivery, EntryRow } from './entry-rows.js';

/** Limits the record size: an order can have thousands of lines, and each user gets a record of their own. */
const EXCERPT_LINES = 10;

/** An entry to store, with the changes that its notification records show. */
export interface NewEvent {
  row: EntryRow;
  changes: NotificationCreated['changes'];
  traceparent: string;
}

/** The changes, cut to the lines that fit into a record. */
export function excerptOf(changes: Changes | null): NotificationCreated['changes'] {
  if (changes === null) return null;
  const { header, lines } = changes;
  return {
    header,
    lines: lines.slice(0, EXCERPT_LINES),
    more: Math.max(0, lines.length - EXCERPT_LINES),
  };
}

/** Record of one notification in the language and with the delivery settings of its user, or the defaults. */
export function notificationRecordOf(
  { row, changes, traceparent }: NewEvent,
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
