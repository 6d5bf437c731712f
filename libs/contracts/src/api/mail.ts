import { z } from 'zod';
import { UserId } from './commands.js';
import { NOTIFICATION_KINDS } from '../notifications/notification.js';
import { Instant, text } from '../validation/text.js';

/** Maximum characters of an address, RFC 5321. */
const MAX_ADDRESS = 320;

export const Suppression = z
  .object({
    address: z.string(),
    reason: z.string().describe("The mail server's answer."),
    failures: z.int().describe('How often the mail server refused the address.'),
    since: Instant,
    until: Instant.nullable().describe('Null if permanent.'),
  })
  .meta({ id: 'Suppression', description: 'An address to which no mail is sent, because the mail server refused it.' });
export type Suppression = z.infer<typeof Suppression>;

export const MailAddress = text(MAX_ADDRESS).min(1).describe('An e-mail address.');

/** Request of an administrator on `mail.rpc.v1`. */
export const DeleteSuppression = z.object({ address: MailAddress });
export type DeleteSuppression = z.infer<typeof DeleteSuppression>;

/** Asks which notifications their users have read. Sent by the service `mail` before it sends mails. */
export const ReadMarksQuery = z.object({ ids: z.array(z.string()).max(1_000) });
export type ReadMarksQuery = z.infer<typeof ReadMarksQuery>;

/** Read mark of a notification. Omitted if the user may no longer see it or no longer wants mail about its kind. */
export const ReadMark = z.object({ id: z.string(), read: z.boolean() });
export type ReadMark = z.infer<typeof ReadMark>;

/** Token of the unsubscribe link in a mail (RFC 8058), which only the service `mail` can create and read. The gateway refuses any other shape itself. */
export const UnsubscribeQuery = z.object({
  token: z
    .string()
    .max(2_000)
    .regex(/^[\w-]+\.[\w-]{43}$/),
});
export type UnsubscribeQuery = z.infer<typeof UnsubscribeQuery>;

/** Content of a token, which the gateway then sends on `notifications.rpc.v1` on behalf of this user: no more mail about these kinds. */
export const Unsubscription = z.object({ userId: UserId, kinds: z.array(z.enum(NOTIFICATION_KINDS)) });
export type Unsubscription = z.infer<typeof Unsubscription>;
