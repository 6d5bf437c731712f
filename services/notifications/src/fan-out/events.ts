import {
  EVENT_TYPES,
  MessagePosted as PublishedMessage,
  PurchaseOrderTransitioned,
  ReminderDue as PublishedReminder,
} from '@po/contracts';
import { z } from 'zod';

/**
 * Fields of a transition that this service reads. Changes of other fields and names of a newer version must not dead-letter a notification.
 */
export const Transition = PurchaseOrderTransitioned.pick({
  id: true,
  poRef: true,
  poNumber: true,
  vendorCode: true,
  vendor: true,
  buyerEmail: true,
  action: true,
  fromStatusId: true,
  toStatusId: true,
  toStatus: true,
  toStatusZh: true,
  statusColor: true,
  comment: true,
  actorId: true,
  actorName: true,
  actorRole: true,
  occurredAt: true,
  changes: true,
  autoApproved: true,
  submittedChanges: true,
}).extend({
  action: z.string(),
  actorRole: z.string(),
  // Shown only in mails, so invalid changes are dropped.
  changes: PurchaseOrderTransitioned.shape.changes.catch(null),
  submittedChanges: PurchaseOrderTransitioned.shape.submittedChanges.catch(null),
});
export type Transition = z.infer<typeof Transition>;

/** Fields of a reminder that this service reads. */
export const ReminderDue = PublishedReminder.omit({ xfDate: true, poVersion: true }).extend({ rule: z.string() });
export type ReminderDue = z.infer<typeof ReminderDue>;

/** Fields of a message that this service reads. */
export const MessagePosted = PublishedMessage.omit({ rows: true }).extend({
  visibility: z.string(),
  mentions: z.array(z.object({ userId: z.string() })),
  authorRole: z.string(),
});
export type MessagePosted = z.infer<typeof MessagePosted>;

/** Schemas of the events of orders, by type. */
export const ORDER_EVENTS = {
  [EVENT_TYPES.transitioned]: Transition,
  [EVENT_TYPES.messagePosted]: MessagePosted,
  [EVENT_TYPES.reminderDue]: ReminderDue,
};
