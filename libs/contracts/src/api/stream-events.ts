import { z } from 'zod';
import { Notification } from '../notifications/notification.js';

/**
 * Why a live stream ended: its client needs another token, or should reopen it because the gateway stops or the maximum duration is over.
 */
const StreamEnding = z.enum(['token-expired', 'shutdown']);

/** Events of the live stream by name, with the schema of their JSON `data`. Clients ignore unknown names. */
export const STREAM_EVENTS = {
  unread: z
    .object({ unread: z.int().min(0) })
    .meta({ id: 'UnreadEvent', description: 'Number of unread notifications of the caller.' }),
  notification: Notification,
  'po-changed': z
    .object({ poRef: z.string(), version: z.int(), statusId: z.int() })
    .meta({ id: 'PurchaseOrderChangedEvent', description: 'A purchase order has a newer version.' }),
  'message-posted': z
    .object({ poRef: z.string(), messageId: z.string() })
    .meta({ id: 'MessagePostedEvent', description: 'A purchase order has a new message that the caller may see.' }),
  reset: z.object({}).meta({
    id: 'ResetEvent',
    description: 'Missed events cannot be sent again: read the list of notifications instead.',
  }),
  end: z
    .object({ reason: StreamEnding })
    .meta({ id: 'EndEvent', description: 'The stream ends; it can be reopened with a valid token.' }),
};

/** Type of the data of each event. */
export type StreamEvents = { [Name in keyof typeof STREAM_EVENTS]: z.infer<(typeof STREAM_EVENTS)[Name]> };
