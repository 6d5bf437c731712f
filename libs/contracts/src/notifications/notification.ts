import { z } from 'zod';
import { ACTOR_ROLES } from '../identity.js';
import { REMINDER_RULES } from '../orders/reminders.js';
import { ANY_ACTION_NAMES } from '../orders/statuses.js';
import { CalendarDate, Instant } from '../validation/text.js';

/** What a notification is about: a history entry, a message of the conversation, or an order that waits. */
export const NOTIFICATION_KINDS = ['TRANSITION', 'MESSAGE', 'REMINDER'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const Notification = z
  .object({
    id: z.string(),
    read: z.boolean(),
    readAt: Instant.nullable(),
    createdAt: Instant,
    kind: z.enum(NOTIFICATION_KINDS),
    historyId: z.string().nullable().describe('The history entry of a `TRANSITION`; null for other kinds.'),
    messageId: z.string().nullable().describe('The message of a `MESSAGE`; null for other kinds.'),
    reminder: z
      .object({ rule: z.enum(REMINDER_RULES), dueOn: CalendarDate, step: z.int() })
      .nullable()
      .describe('Of a `REMINDER`; null for other kinds.'),
    poRef: z.string(),
    poNumber: z.string(),
    vendor: z.string(),
    action: z.enum(ANY_ACTION_NAMES).nullable().describe('Of a `TRANSITION`; null for other kinds.'),
    fromStatusId: z.int().nullable(),
    toStatusId: z.int(),
    toStatus: z.string(),
    toStatusZh: z.string(),
    statusColor: z.string(),
    comment: z.string().nullable(),
    actorName: z.string().nullable(),
    actorRole: z.enum(ACTOR_ROLES).describe('`SYSTEM` for a `REMINDER`.'),
    title: z.string(),
    titleZh: z.string(),
  })
  .meta({ id: 'Notification', description: 'A message to a user about an order.' });
export type Notification = z.infer<typeof Notification>;

export const UnreadCount = z.object({ unreadNotifications: z.int() });
export type UnreadCount = z.infer<typeof UnreadCount>;

export const MarkedRead = z
  .object({ success: z.literal(true) })
  .meta({ id: 'MarkedRead', description: 'It is read now, or was before.' });
export type MarkedRead = z.infer<typeof MarkedRead>;

/** What came into an inbox after a place in it. */
export const NotificationsSince = z.object({
  /** Oldest first. `number` rises by one with each of the user's, also those that this inbox does not show. */
  items: z.array(z.object({ number: z.int(), notification: Notification })),
  /** The place to ask from next time. */
  at: z.int(),
  /** There is more behind `at`. */
  more: z.boolean(),
  unread: z.int(),
  /** What was asked from is no place in this inbox, or too far behind: nothing is answered of before `at`, which is now. */
  reset: z.boolean(),
});
export type NotificationsSince = z.infer<typeof NotificationsSince>;
