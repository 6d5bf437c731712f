import { z } from 'zod';
import { Actor } from './identity.js';
import { Notification } from './notification.js';
import { Activity, HistoryEntry, PurchaseOrderContent } from './purchase-order.js';
import { CalendarDate, Instant } from './text.js';

/** What both sides approved, for write-back into the inventory system: read this, not the current values. */
export const Agreement = z.object({
  xfd: CalendarDate,
  factory: z.string().nullable(),
  lines: z.array(
    z.object({
      lineId: z.string(),
      rowHash: z.string(),
      code: z.string(),
      style: z.string(),
      color: z.string(),
      size: z.string(),
      qty: z.number(),
      unitPrice: z.number(),
    }),
  ),
});
export type Agreement = z.infer<typeof Agreement>;

/** `po.transitioned.v1` on `po.transitions.v1`: one record a history entry, `sequence` 1, 2, 3 … per PO; `agreed` only on APPROVE. */
export const PurchaseOrderTransitioned = HistoryEntry.extend({
  sequence: z.int(),
  poVersion: z.int(),
  poNumber: z.string(),
  vendorCode: z.string(),
  vendor: z.string(),
  buyerEmail: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  xfDate: CalendarDate,
  agreed: Agreement.optional(),
});
export type PurchaseOrderTransitioned = z.infer<typeof PurchaseOrderTransitioned>;

const StateCell = z.object({
  lineId: z.string(),
  rowHash: z.string(),
  code: z.string(),
  style: z.string(),
  color: z.string(),
  size: z.string(),
  sku: z.string().nullable(),
  originalQty: z.number(),
  vendorReplyQty: z.number().nullable(),
  qty: z.number(),
  originalUnitPrice: z.number(),
  vendorReplyUnitPrice: z.number().nullable(),
  unitPrice: z.number(),
});

/**
 * `po.state-changed.v1` on `po.state.v1`: the whole order after every change. `recentActivity` holds its last 20 status
 * changes, newest first, so that a consumer can rebuild a feed over all orders from this compacted topic alone.
 */
export const PurchaseOrderState = PurchaseOrderContent.extend({
  poVersion: z.int(),
  cells: z.array(StateCell),
  agreed: Agreement.nullable(),
  recentActivity: z.array(Activity),
});
export type PurchaseOrderState = z.infer<typeof PurchaseOrderState>;

/** `notification.created.v1` on `po.notifications.v1`: for a mail or chat gateway. */
export const NotificationCreated = Notification.extend({
  userId: z.string(),
  email: z.string().nullable(),
  locale: z.string().nullable(),
});
export type NotificationCreated = z.infer<typeof NotificationCreated>;

/**
 * `user.seen.v1` on `users.directory.v1`: a user as their token last described them, announced by the gateway. A role that this version
 * does not know is kept as it is.
 */
export const UserSeen = Actor.extend({ role: z.string(), seenAt: Instant });
export type UserSeen = z.infer<typeof UserSeen>;

export const EVENT_TYPES = {
  transitioned: 'po.transitioned.v1',
  stateChanged: 'po.state-changed.v1',
  notificationCreated: 'notification.created.v1',
  userSeen: 'user.seen.v1',
} as const;
