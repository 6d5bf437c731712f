import { z } from 'zod';
import { CalendarDate, DateOfAnyYear, comparedText, optionalText } from '../validation/text.js';

/** Names of a negotiated field in responses (`current`: in history and diffs too) and in requests; `type` is that of its column. */
interface NegotiatedRow {
  type: 'date' | 'text';
  original: string;
  reply: string;
  agreed: string;
  current: string;
  request: `vendor_reply_${string}`;
}

/** Header fields for which the vendor may propose another value than the source's, by their names in the source's message. */
export const NEGOTIATED = {
  xfd: {
    type: 'date',
    original: 'originalXfd',
    reply: 'vendorReplyXfd',
    agreed: 'agreedXfd',
    current: 'xfDate',
    request: 'vendor_reply_xfd',
  },
  factory: {
    type: 'text',
    original: 'originalFactory',
    reply: 'vendorReplyFactory',
    agreed: 'agreedFactory',
    current: 'factory',
    request: 'vendor_reply_factory',
  },
} as const satisfies Record<string, NegotiatedRow>;

export type NegotiatedField = keyof typeof NEGOTIATED;
/** Names of one kind, such as `request`. */
export type NegotiatedName<Kind extends keyof NegotiatedRow> = (typeof NEGOTIATED)[NegotiatedField][Kind];

/** In the order of differences and changes. */
export const NEGOTIATED_FIELDS = Object.keys(NEGOTIATED) as NegotiatedField[];

type Shape<Name extends string> = Readonly<Record<Name, z.ZodType>>;

/** Proposals of a vendor. Absent = unchanged, null or "" = cleared. */
export const ReplyShape = {
  vendor_reply_xfd: z
    .preprocess((value) => (value === '' ? null : value), DateOfAnyYear.nullable())
    .optional()
    .describe('Must not be before the order date.'),
  vendor_reply_factory: optionalText(200, comparedText(200)).optional(),
} satisfies Shape<NegotiatedName<'request'>>;

/** Fields of the order's content in addition to its summary, which has the ex-factory dates. */
export const ContentShape = {
  originalFactory: z.string().nullable(),
  vendorReplyFactory: z.string().nullable(),
  factory: z.string().nullable(),
};

/** Values of the last APPROVE. */
export const AgreedShape = {
  agreedXfd: CalendarDate.nullable(),
  agreedFactory: z.string().nullable(),
} satisfies Shape<NegotiatedName<'agreed'>>;

/** Terms of the agreement. */
export const AgreementShape = {
  xfd: CalendarDate.describe('Agreed ex-factory date.'),
  factory: z.string().nullable(),
} satisfies Shape<NegotiatedField>;
