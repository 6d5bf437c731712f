import { z } from 'zod';
import { Notification } from '../notifications/notification.js';

/** Why a live stream ended: its client needs another token, or is to open it again, because the gateway stops or after a while anyway. */
const StreamEnding = z.enum(['token-expired', 'shutdown']);

/** The events of the live stream by their names: what the `data` of each holds, as JSON. A client passes over other names. */
export const STREAM_EVENTS = {
  unread: z
    .object({ unread: z.int().min(0) })
    .meta({ id: 'UnreadEvent', description: 'How many notifications of the caller are unread now.' }),
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
    .meta({ id: 'EndEvent', description: 'The stream ends; it may be opened again, with a token that is good.' }),
};

/** What the data of each event holds. */
export type StreamEvents = { [Name in keyof typeof STREAM_EVENTS]: z.infer<(typeof STREAM_EVENTS)[Name]> };
