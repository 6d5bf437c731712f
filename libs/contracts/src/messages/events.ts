import { z } from 'zod';
import { Actor } from '../identity.js';
import { AgreementShape } from '../orders/negotiated.js';
import { Notification } from '../notifications/notification.js';
import { MAIL_MODES, TimeOfDay, TimeZone } from '../notifications/preferences.js';
import {
  HeaderChange,
  HistoryEntry,
  LineChange,
  LineIdentity,
  PurchaseOrderContent,
  StatusChange,
} from '../orders/purchase-order.js';
import { CalendarDate, Instant } from '../validation/text.js';

const AgreedLine = z
  .object({
    lineId: z.string().describe("The inventory system's line id."),
    ...LineIdentity,
    qty: z.number().describe('Pieces; 0 if both sides agreed that the row is not delivered.'),
    unitPrice: z.number().describe('Up to 4 decimals.'),
  })
  .meta({ id: 'AgreedLine', description: 'A row at its agreed quantity and price.' });

/** The values that both sides approved, for write-back into the inventory system instead of the current values. */
export const Agreement = z
  .object({
    ...AgreementShape,
    lines: z.array(AgreedLine),
  })
  .meta({
    id: 'Agreement',
    description: 'What both sides last approved. Current values that differ are only proposals.',
  });
export type Agreement = z.infer<typeof Agreement>;

/** `po.transitioned.v1` on `po.transitions.v1`: one record per history entry, `sequence` 1, 2, 3 … per PO; `agreed` only on APPROVE. */
export const PurchaseOrderTransitioned = HistoryEntry.omit({ commentOmitted: true, changesOmitted: true })
  .extend({
    sequence: z.int().describe("1, 2, 3 … within the order's history."),
    poVersion: z.int().describe('Version of the order after this entry, higher than that of every earlier entry.'),
    poNumber: z.string(),
    vendorCode: z.string(),
    vendor: z.string().describe("The vendor's company name."),
    buyerEmail: z.string().nullable(),
    amount: z.number().describe('Sum of the items at current quantities and prices, 2 decimals.'),
    currency: z.string().describe('ISO 4217.'),
    xfDate: CalendarDate.describe("Current ex-factory date: the vendor's reply, else the original."),
    agreed: Agreement.optional().describe('Only on APPROVE, for write-back.'),
    autoApproved: z
      .boolean()
      .optional()
      .describe(
        'On a SUBMIT that an approval policy approved immediately: the APPROVE is the next record, and the SUBMIT has no notifications.',
      ),
    submittedChanges: HistoryEntry.shape.changes
      .optional()
      .describe(
        'On an APPROVE by an approval policy: the `changes` of its SUBMIT, for recipients who are notified only of the APPROVE.',
      ),
  })
  .meta({ id: 'PurchaseOrderTransitioned', description: 'A history entry of an order, published as an event.' });
export type PurchaseOrderTransitioned = z.infer<typeof PurchaseOrderTransitioned>;

const StateCell = z
  .object({
    lineId: z.string().describe("The inventory system's line id."),
    ...LineIdentity,
    rowHash: z.string().describe('Identifies the row in the API; unchanged when the source sends the row again.'),
    sku: z.string().nullable(),
    originalQty: z.number(),
    vendorReplyQty: z.number().nullable(),
    qty: z.number().describe("Current pieces: the vendor's reply, else the original."),
    originalUnitPrice: z.number(),
    vendorReplyUnitPrice: z.number().nullable(),
    unitPrice: z
      .number()
      .describe("Current price: the vendor's reply, else the original. Up to 4 decimals, like every price."),
  })
  .meta({ id: 'StateCell', description: 'A row: one code, style, color and size.' });

/**
 * `po.state-changed.v1` on `po.state.v1`: the whole order after every change. `recentActivity` contains its last 20 status changes, newest
 * first, so that consumers can rebuild a feed over all orders from this compacted topic alone.
 */
export const PurchaseOrderState = PurchaseOrderContent.extend({
  vendor: z
    .string()
    .describe("The vendor's company name at this version; a later name appears with the order's next change."),
  poVersion: z
    .int()
    .describe('Increases with every change. Ignore a record whose version is not higher than the one you have.'),
  isOverdue: z
    .boolean()
    .describe('At this version. The passing of a day publishes nothing: compare `xfDate` with today instead.'),
  sourceRevision: z.int().meta({
    format: 'int64',
    description: 'At this version. A later revision that changes nothing visible is not published; the API shows it.',
  }),
  lastSyncedAt: Instant.describe('At this version, like `sourceRevision`.'),
  cells: z.array(StateCell),
  agreed: Agreement.nullable().describe('Null before the first approval. Binding, unlike the values of the cells.'),
  recentActivity: z.array(StatusChange).describe('The last 20 status changes, newest first.'),
}).meta({ id: 'PurchaseOrderState', description: 'A whole order after a change.' });
export type PurchaseOrderState = z.infer<typeof PurchaseOrderState>;

/** How and when a notification is mailed, according to its user's preferences. */
const Delivery = z.object({ mail: z.enum(MAIL_MODES), timeZone: TimeZone, digestAt: TimeOfDay });

/** The changes as shown in a mail: the first 10 lines, and the number of further ones. */
const ChangesExcerpt = z.object({
  header: z.array(HeaderChange),
  lines: z.array(LineChange),
  more: z.int(),
});

/**
 * `notification.created.v1` on `po.notifications.v1`, for mail and chat gateways. Records of older releases lack the optional members and
 * are all of kind TRANSITION.
 */
export const NotificationCreated = Notification.extend({
  kind: Notification.shape.kind.optional(),
  messageId: Notification.shape.messageId.optional(),
  reminder: Notification.shape.reminder.optional(),
  delivery: Delivery.optional(),
  changes: ChangesExcerpt.nullable().optional(),
  occurredAt: Instant.optional().describe('When the event occurred; `createdAt` is when the notification was created.'),
  userId: z.string().describe("The user's `sub`."),
  email: z.string().nullable(),
  locale: z
    .string()
    .nullable()
    .describe('BCP 47 tag chosen by the user, otherwise from the token. Determines which title to send.'),
}).meta({
  id: 'NotificationCreated',
  description:
    'A notification was created for a user. Only records of older releases lack fields; they are all of kind TRANSITION.',
});
export type NotificationCreated = z.infer<typeof NotificationCreated>;

/**
 * `user.seen.v1` on `users.directory.v1`: a user as described by their last token, announced by the gateway. Keeps a role that this version
 * does not know.
 */
export const UserSeen = Actor.extend({
  role: z.string(),
  seenAt: Instant,
  /** Issue time of the token. Another tab may later use an older token with other claims. Absent in older releases. */
  issuedAt: Instant.optional(),
});
export type UserSeen = z.infer<typeof UserSeen>;

/** `user.deleted.v1` on `users.directory.v1`: invalidates announcements of the user up to `deletedAt`. */
export const UserDeleted = z.object({ sub: Actor.shape.sub, deletedAt: Instant });
export type UserDeleted = z.infer<typeof UserDeleted>;

export const EVENT_TYPES = {
  transitioned: 'po.transitioned.v1',
  stateChanged: 'po.state-changed.v1',
  messagePosted: 'po.message-posted.v1',
  reminderDue: 'po.reminder-due.v1',
  notificationCreated: 'notification.created.v1',
  userSeen: 'user.seen.v1',
  userDeleted: 'user.deleted.v1',
} as const;

/** Schemas of the values on the directory's topic by event type. */
export const USER_EVENTS = {
  [EVENT_TYPES.userSeen]: UserSeen,
  [EVENT_TYPES.userDeleted]: UserDeleted,
};
