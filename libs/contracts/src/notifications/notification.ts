import { z } from 'zod';
import { ACTOR_ROLES } from '../identity.js';
import { REMINDER_RULES } from '../orders/reminders.js';
import { ANY_ACTION_NAMES } from '../orders/statuses.js';
import { CalendarDate, Instant } from '../validation/text.js';

/** Subject of a notification: a history entry, a message of the conversation, or an order that waits. */
export const NOTIFICATION_KINDS = ['TRANSITION', 'MESSAGE', 'REMINDER'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Maximum characters of a message in its notification. */
export const MAX_EXCERPT = 280;

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
      .describe('Only for a `REMINDER`; null for other kinds.'),
    poRef: z.string(),
    poNumber: z.string(),
    vendor: z.string(),
    action: z.enum(ANY_ACTION_NAMES).nullable().describe('Only for a `TRANSITION`; null for other kinds.'),
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
  .meta({ id: 'Notification', description: 'A notification to a user about an order.' });
export type Notification = z.infer<typeof Notification>;

export const UnreadCount = z.object({ unreadNotifications: z.int() });
export type UnreadCount = z.infer<typeof UnreadCount>;

export const MarkedRead = z
  .object({ success: z.literal(true) })
  .meta({ id: 'MarkedRead', description: 'Marked as read, or already read.' });
export type MarkedRead = z.infer<typeof MarkedRead>;

/** Notifications after a position in an inbox. */
export const NotificationsSince = z.object({
  /** Oldest first. `number` increases by one with each notification of the user, including those that this inbox does not show. */
  items: z.array(z.object({ number: z.int(), notification: Notification })),
  /** Position for the next request. */
  at: z.int(),
  /** There are more notifications after `at`. */
  more: z.boolean(),
  unread: z.int(),
  /**
   * The requested position is unknown in this inbox or too far behind: the answer has nothing from before `at`, which is the current
   * position.
   */
  reset: z.boolean(),
});
export type NotificationsSince = z.infer<typeof NotificationsSince>;
