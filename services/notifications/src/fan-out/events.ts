import {
  MessagePosted as PublishedMessage,
  PurchaseOrderTransitioned,
  ReminderDue as PublishedReminder,
} from '@po/contracts';
import { z } from 'zod';

/** What this service reads of a transition: a change of the other fields, or a name of a newer version, must not dead-letter a notification. */
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
  // Only mails show them: what is malformed there is left out.
  changes: PurchaseOrderTransitioned.shape.changes.catch(null),
  submittedChanges: PurchaseOrderTransitioned.shape.submittedChanges.catch(null),
});
export type Transition = z.infer<typeof Transition>;

/** The same of a reminder. */
export const ReminderDue = PublishedReminder.omit({ xfDate: true, poVersion: true }).extend({ rule: z.string() });
export type ReminderDue = z.infer<typeof ReminderDue>;

/** The same of a message. */
export const MessagePosted = PublishedMessage.omit({ rows: true }).extend({
  visibility: z.string(),
  mentions: z.array(z.object({ userId: z.string() })),
  authorRole: z.string(),
});
export type MessagePosted = z.infer<typeof MessagePosted>;
