import { NotificationCreated, TimeOfDay, TimeZone } from '@po/contracts';
import { z } from 'zod';

/** Fields of a notification that this service reads. Changes of other fields in a newer version must not dead-letter a mail. */
export const QueuedNotification = NotificationCreated.pick({
  id: true,
  userId: true,
  email: true,
  locale: true,
  createdAt: true,
  occurredAt: true,
  historyId: true,
  messageId: true,
  poRef: true,
  poNumber: true,
  vendor: true,
  fromStatusId: true,
  toStatusId: true,
  toStatus: true,
  toStatusZh: true,
  comment: true,
  actorName: true,
  title: true,
  titleZh: true,
  changes: true,
}).extend({
  delivery: z.object({ mail: z.string(), timeZone: TimeZone, digestAt: TimeOfDay }).optional(),
  kind: z.string().default('TRANSITION'),
  action: z.string().nullable(),
  actorRole: z.string(),
  reminder: z.object({ rule: z.string(), dueOn: z.string(), step: z.int() }).nullable().optional(),
});
export type QueuedNotification = z.infer<typeof QueuedNotification>;
