import { z } from 'zod';
import { ACTOR_SIZES } from '../identity.js';
import { MAX_COMMENT, MAX_PATCHED_LINES } from '../limits.js';
import { ReplyShape } from '../orders/negotiated.js';
import { distinctBy } from '../validation/distinct-by.js';
import { localizedMessage } from '../validation/localized-message.js';
import { ACTION_NAMES } from '../orders/statuses.js';
import { PoRef, Price, Qty, optionalText, text, textOfAnyLength, trimmedLine } from '../validation/text.js';

// A misspelled only field is reported as unknown, without also reporting that the patch is empty.
const hasNoOtherIssue = ({ issues }: { issues: unknown[] }): boolean => issues.length === 0;

const HeaderFields = z.strictObject({
  ...ReplyShape,
  vendor_reply_comment: optionalText(MAX_COMMENT).optional(),
  container_number: optionalText(100, trimmedLine(100)).optional().describe('One line.'),
  tracking_number: optionalText(100, trimmedLine(100)).optional().describe('One line.'),
});
export const HEADER_FIELDS = HeaderFields.keyof().options;
export const LINE_FIELDS = ['vendorReplyQty', 'vendorReplyUnitPrice'] as const;
export type EditableField = (typeof HEADER_FIELDS | typeof LINE_FIELDS)[number];

/** Header fields that a vendor may write, as spelled in requests. Absent = unchanged, null or "" = cleared. */
export const HeaderPatch = HeaderFields.refine((patch) => Object.values(patch).some((value) => value !== undefined), {
  ...localizedMessage(
    'EMPTY_PATCH',
    `must set at least one of ${HEADER_FIELDS.join(', ')}`,
    `至少填写一项：${HEADER_FIELDS.join('、')}`,
  ),
  when: hasNoOtherIssue,
}).meta({
  id: 'HeaderPatch',
  description: 'Absent leaves a field as it is, `null` or `""` clears it.',
  minProperties: 1,
});
export type HeaderPatch = z.infer<typeof HeaderPatch>;

/** Reply to one line. Accepts any text as row hash, because an invalid hash is answered like an unknown one. */
export const LinePatch = z
  .strictObject({
    rowHash: textOfAnyLength.describe('The `rowHash` of a size in the line items.'),
    vendorReplyQty: Qty.nullable().optional().describe('Pieces; null clears the reply.'),
    vendorReplyUnitPrice: Price.nullable()
      .optional()
      .describe('At most 4 decimals; null clears the reply. Applies to the whole item (code, style, color).'),
  })
  .refine((line) => line.vendorReplyQty !== undefined || line.vendorReplyUnitPrice !== undefined, {
    ...localizedMessage(
      'EMPTY_PATCH',
      'must set vendorReplyQty or vendorReplyUnitPrice',
      '必须填写 vendorReplyQty 或 vendorReplyUnitPrice',
    ),
    when: hasNoOtherIssue,
  })
  .meta({
    id: 'LinePatch',
    description: "The reply to one row. Sets a quantity, its item's price, or both.",
    minProperties: 2,
  });
export type LinePatch = z.infer<typeof LinePatch>;

const REPEATED_ROW = localizedMessage(
  'DUPLICATE',
  'must not repeat a rowHash of this request',
  '同一请求中 rowHash 不能重复',
);

export const LinesPatch = z
  .strictObject({
    lines: z.array(LinePatch).min(1).max(MAX_PATCHED_LINES).superRefine(distinctBy('rowHash', REPEATED_ROW)),
  })
  .meta({ id: 'LinesPatch', description: 'Replies to rows of one order; each row at most once.' });
export type LinesPatch = z.infer<typeof LinesPatch>;

export const TransitionRequest = z
  .strictObject({
    action: z.enum(ACTION_NAMES),
    comment: optionalText(MAX_COMMENT).optional().describe('Trimmed; an empty comment counts as none.'),
  })
  .meta({ id: 'TransitionRequest', description: 'An action to take on the order.' });
export type TransitionRequest = z.infer<typeof TransitionRequest>;

/**
 * Requests of the gateway on `po.commands.v1`, keyed by poRef. They contain the body as validated at the edge, and are strict here too: a
 * replica that does not know every field must not execute only a part.
 */
export const UpdateHeader = z.object({ poRef: PoRef, patch: HeaderPatch });
export const UpdateLines = z.object({ poRef: PoRef, patch: LinesPatch });
export const ExecuteTransition = z.object({ poRef: PoRef, request: TransitionRequest });
export type UpdateHeader = z.infer<typeof UpdateHeader>;
export type UpdateLines = z.infer<typeof UpdateLines>;
export type ExecuteTransition = z.infer<typeof ExecuteTransition>;

/** Write request on `notifications.rpc.v1`: one id, or every notification that the user has when the request is handled. */
export const MarkRead = z.object({ id: z.string().min(1).max(100) });
export type MarkRead = z.infer<typeof MarkRead>;

export const UserId = text(ACTOR_SIZES.sub).min(1).describe("The `sub` of the user's token.");

/** Request of an administrator on `notifications.rpc.v1`, keyed by the user to delete. */
export const DeleteUser = z.object({ userId: UserId });
export type DeleteUser = z.infer<typeof DeleteUser>;
