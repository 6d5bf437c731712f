import { z } from 'zod';
import { ACTOR_SIZES, ROLES } from '../identity.js';
import { MAX_MENTIONS, MAX_MESSAGE, MAX_MESSAGE_ROWS } from '../limits.js';
import { LineIdentity } from '../orders/purchase-order.js';
import { Instant, PoRef, text, textOfAnyLength } from '../validation/text.js';

/** Readers of a message: both sides, or only the internal roles. */
export const MESSAGE_VISIBILITIES = ['all', 'internal'] as const;
export type MessageVisibility = (typeof MESSAGE_VISIBILITIES)[number];

const visibility = z
  .enum(MESSAGE_VISIBILITIES)
  .describe('`internal`: only for internal roles; vendors cannot see, count or write such messages.');

const MessageRow = z
  .object(LineIdentity)
  .meta({ id: 'MessageRow', description: 'A row of the order that a message refers to, as it was at that time.' });
export type MessageRow = z.infer<typeof MessageRow>;

const name = z.string().nullable().describe("The name in the user's token at that time; null if it had none.");

const Mention = z
  .object({ userId: z.string(), name })
  .meta({ id: 'Mention', description: 'A user who is mentioned in a message.' });
export type Mention = z.infer<typeof Mention>;

export const Message = z
  .object({
    id: z.uuid().describe('UUIDv7: later messages of the order have higher ids.'),
    poRef: z.string(),
    body: z.string().describe('Plain text.'),
    visibility,
    rows: z.array(MessageRow),
    mentions: z.array(Mention),
    authorId: z.string(),
    authorName: name,
    authorRole: z.enum(ROLES),
    createdAt: Instant,
  })
  .meta({ id: 'Message', description: 'A message about an order. It is never changed or deleted.' });
export type Message = z.infer<typeof Message>;

export const MessageRequest = z
  .strictObject({
    body: z
      .string()
      .trim()
      .pipe(text(MAX_MESSAGE).min(1))
      .meta({ minLength: 1, maxLength: MAX_MESSAGE, pattern: '\\S' })
      .describe('Plain text, trimmed.'),
    visibility: visibility.default('all'),
    rows: z
      .array(textOfAnyLength)
      .max(MAX_MESSAGE_ROWS)
      .default([])
      .describe('The `rowHash` of each row that the message refers to.'),
    mentions: z
      .array(textOfAnyLength)
      .max(MAX_MENTIONS)
      .default([])
      .describe('The `userId` of each mentioned participant; an internal message may mention only internal users.'),
  })
  .meta({ id: 'MessageRequest', description: 'A new message.' });
export type MessageRequest = z.infer<typeof MessageRequest>;

export const Participant = z
  .object({
    userId: z.string(),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    vendorCode: z.string().nullable().describe("The vendor's code of a `VENDOR`; null for internal roles."),
  })
  .meta({ id: 'Participant', description: 'A user who may be mentioned in a message.' });
export type Participant = z.infer<typeof Participant>;

/** `po.message-posted.v1` on `po.messages.v1`: one record per message, including internal ones. */
export const MessagePosted = Message.extend({
  poNumber: z.string(),
  vendorCode: z.string(),
  vendor: z.string().describe("The vendor's company name."),
  buyerEmail: z.string().max(ACTOR_SIZES.email).nullable(),
  statusId: z.int().describe('Status of the order when the message was written.'),
}).meta({
  id: 'MessagePosted',
  description: 'A message was written about an order. Never show `internal` messages to users of the vendor.',
});
export type MessagePosted = z.infer<typeof MessagePosted>;

/** Request of the gateway on `po.commands.v1`, keyed by poRef. */
export const PostMessage = z.object({ poRef: PoRef, request: MessageRequest });
export type PostMessage = z.infer<typeof PostMessage>;
