import { z } from 'zod';
import { UserId } from './commands.js';
import { NOTIFICATION_KINDS } from '../notifications/notification.js';
import { Instant, text } from '../validation/text.js';

/** Most characters of an address, RFC 5321. */
const MAX_ADDRESS = 320;

export const Suppression = z
  .object({
    address: z.string(),
    reason: z.string().describe("The mail server's answer."),
    failures: z.int().describe('How often it refused the address.'),
    since: Instant,
    until: Instant.nullable().describe('Null: for good.'),
  })
  .meta({ id: 'Suppression', description: 'An address to which no mail is sent, because the mail server refused it.' });
export type Suppression = z.infer<typeof Suppression>;

export const MailAddress = text(MAX_ADDRESS).min(1).describe('An e-mail address.');

/** What an administrator sends on `mail.rpc.v1`. */
export const DeleteSuppression = z.object({ address: MailAddress });
export type DeleteSuppression = z.infer<typeof DeleteSuppression>;

/** Which of a user's notifications they have read; asked by the service `mail` before it sends. */
export const ReadMarksQuery = z.object({ ids: z.array(z.string()).max(1_000) });
export type ReadMarksQuery = z.infer<typeof ReadMarksQuery>;

/** Of a notification that the user may still see, and of whose kind they still want mail; of any other there is none. */
export const ReadMark = z.object({ id: z.string(), read: z.boolean() });
export type ReadMark = z.infer<typeof ReadMark>;

/** The token of a mail's link, RFC 8058, which nobody but the service `mail` can make or read. */
export const UnsubscribeQuery = z.object({ token: z.string().max(2_000) });
export type UnsubscribeQuery = z.infer<typeof UnsubscribeQuery>;

/**
 * What a token is good for, and what the gateway then sends on `notifications.rpc.v1` in the name of this user: no mail about these kinds
 * any more.
 */
export const Unsubscription = z.object({ userId: UserId, kinds: z.array(z.enum(NOTIFICATION_KINDS)) });
export type Unsubscription = z.infer<typeof Unsubscription>;
