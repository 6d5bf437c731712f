import { z } from 'zod';
import { ACTION_NAMES, ANY_ACTION_NAMES } from './statuses.js';
import { ACTOR_ROLES } from '../identity.js';
import { AgreedShape, ContentShape, NEGOTIATED, NEGOTIATED_FIELDS } from './negotiated.js';
import { NextDue } from './reminders.js';
import { CalendarDate, Instant } from '../validation/text.js';

// Response schemas are loose (z.object, not strict), because clients tolerate new fields.

export const StatusFields = {
  statusId: z.int().describe('100, 150, 200, 300, 400, 500, 600 or 900; `GET /po-filters` has the list.'),
  status: z.string().describe('English label.'),
  statusZh: z.string().describe('Chinese label.'),
  statusColor: z.string().describe('`#` and six hexadecimal digits.'),
};

const nextDue = NextDue.nullable().describe("The earliest reminder for the caller's side that is not created yet.");

export const PurchaseOrderSummary = z
  .object({
    id: z.int(),
    poRef: z.string().describe('The PO number, as used in paths.'),
    poNumber: z.string(),
    vendorCode: z.string(),
    vendor: z.string().describe("The vendor's company name."),
    poDate: CalendarDate,
    originalXfd: CalendarDate.describe('Ex-factory date of the inventory system.'),
    vendorReplyXfd: CalendarDate.nullable().describe('The date that the vendor proposes.'),
    xfDate: CalendarDate.describe("Current ex-factory date: the vendor's reply, else the original."),
    currency: z.string().describe('ISO 4217.'),
    amount: z.number().describe('Sum of the items at current quantities and prices, 2 decimals.'),
    originalAmount: z.number().describe('Sum of the items at original quantities and prices, 2 decimals.'),
    totalQty: z.number().describe('Current pieces.'),
    originalTotalQty: z.number(),
    lineCount: z.int().describe('Line items (code, style, color), not their sizes.'),
    ...StatusFields,
    hasPendingChanges: z.boolean().describe('The vendor has edits that are not approved yet.'),
    hasSourceConflict: z
      .boolean()
      .describe('The inventory system changed the order after production began; no approval since.'),
    isOverdue: z.boolean().describe('`xfDate` is before today (UTC) and the order is not shipped.'),
    containerNumber: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    version: z.int().describe('Increases by one with every change; `"<version>"` is the entity tag.'),
    createdAt: Instant,
    updatedAt: Instant,
    nextDue,
  })
  .meta({ id: 'PurchaseOrderSummary', description: 'A purchase order in a list.' });
export type PurchaseOrderSummary = z.infer<typeof PurchaseOrderSummary>;

export const AvailableAction = z
  .object({
    action: z.enum(ACTION_NAMES),
    label: z.string(),
    labelZh: z.string(),
    fromStatusId: z.int(),
    toStatusId: z.int(),
    toStatus: z.string(),
    toStatusZh: z.string(),
    requiresComment: z.boolean().describe('Without a comment, the action is refused with `COMMENT_REQUIRED`.'),
    tone: z.enum(['primary', 'danger', 'neutral']).describe('Suggested style of a button for this action.'),
  })
  .meta({ id: 'AvailableAction', description: 'An action that may be taken on an order in a status.' });
export type AvailableAction = z.infer<typeof AvailableAction>;

const SizeEntry = z
  .object({
    qty: z.number().describe("Current quantity: the vendor's reply, else the original."),
    originalQty: z.number(),
    vendorReplyQty: z.number().nullable(),
    agreedQty: z.number().nullable().describe('As last approved; null before the first approval.'),
    rowHash: z
      .string()
      .describe('Identifies this row in changes of line items; constant for as long as the row exists.'),
    lineId: z.string().describe("The inventory system's line id."),
  })
  .meta({ id: 'SizeEntry', description: 'One size of an item.' });

export const LineItem = z
  .object({
    code: z.string(),
    style: z.string(),
    color: z.string(),
    unitPrice: z.number().describe('Current price; if sizes differ, their mean weighted by quantity, to 4 decimals.'),
    originalUnitPrice: z.number(),
    vendorReplyUnitPrice: z.number().nullable(),
    agreedUnitPrice: z.number().nullable().describe('As last approved; null before the first approval.'),
    sizes: z.record(z.string(), SizeEntry).describe('By size label.'),
    sizeOrder: z
      .array(z.string())
      .describe('Size labels in the order of the source: JSON engines reorder "28" and "30".'),
    totalQty: z.number(),
    originalTotalQty: z.number(),
    totalAmount: z.number().describe('Exact sum of quantity times price, rounded half up to 2 decimals.'),
    originalTotalAmount: z.number(),
    isModified: z.boolean().describe('A current quantity or the current price differs from its original.'),
    originalPricesDiffer: z
      .literal(true)
      .optional()
      .describe('The sizes have different original prices: `originalUnitPrice` is their mean.'),
  })
  .meta({ id: 'LineItem', description: 'One item (code, style, color) with its sizes.' });
export type LineItem = z.infer<typeof LineItem>;

/** The order independent of the caller: the part of the detail that is also published on `po.state.v1`. */
export const PurchaseOrderContent = PurchaseOrderSummary.omit({ nextDue: true }).extend({
  ...ContentShape,
  vendorReplyComment: z.string().nullable(),
  season: z.string().nullable(),
  brand: z.string().nullable(),
  shipMode: z.string().nullable(),
  tradeTerm: z.string().nullable(),
  paymentTerm: z.string().nullable(),
  destination: z.string().nullable(),
  buyerName: z.string().nullable(),
  buyerEmail: z.string().nullable(),
  remarks: z.string().nullable(),
  agreedAt: Instant.nullable().describe('When the order was last approved; null before the first approval.'),
  ...AgreedShape,
  sourceRevision: z
    .int()
    .meta({ format: 'int64', description: 'Revision in the last message of the inventory system.' }),
  lastSyncedAt: Instant,
});
export type PurchaseOrderContent = z.infer<typeof PurchaseOrderContent>;

export const PurchaseOrderDetail = PurchaseOrderContent.extend({
  nextDue,
  editableFields: z.array(z.string()).describe('Fields that the caller may write now, by their names in requests.'),
  availableActions: z.array(AvailableAction).describe('Actions that the caller may take now.'),
  lineItems: z.array(LineItem).optional().describe('Only with `include=lineItems`.'),
}).meta({ id: 'PurchaseOrderDetail', description: 'A purchase order with its complete header.' });
export type PurchaseOrderDetail = z.infer<typeof PurchaseOrderDetail>;

const Pagination = z
  .object({
    total: z.int().describe('Orders on all pages.'),
    page: z.int(),
    limit: z.int().describe('The applied limit.'),
    totalPages: z.int().describe('0 if there are no orders.'),
  })
  .meta({ id: 'Pagination', description: 'The page and the number of pages.' });
export const PurchaseOrderList = z
  .object({ data: z.array(PurchaseOrderSummary), pagination: Pagination })
  .meta({ id: 'PurchaseOrderList', description: 'One page of purchase orders.' });
export type PurchaseOrderList = z.infer<typeof PurchaseOrderList>;

export const TransitionResult = z
  .object({
    success: z.literal(true),
    newStatusId: z.int(),
    newStatus: z.string(),
    message: z.string(),
    newStatusZh: z.string(),
    version: z.int().describe('Version of the order after the transition.'),
    historyId: z.string().describe('The new history entry; for an automatic approval, that of the SUBMIT.'),
    autoApproved: z.boolean().describe('An approval policy approved the submission immediately.'),
  })
  .meta({ id: 'TransitionResult', description: 'The result of a transition.' });
export type TransitionResult = z.infer<typeof TransitionResult>;

const ChangeValue = z.union([z.string(), z.number(), z.null()]);
export const HeaderChange = z
  .object({ field: z.string(), from: ChangeValue, to: ChangeValue })
  .meta({ id: 'HeaderChange', description: 'A changed field of the order, by its name in responses.' });
/** The fields that identify a line. */
export const LineIdentity = {
  rowHash: z.string(),
  code: z.string(),
  style: z.string(),
  color: z.string(),
  size: z.string(),
};
export const LineChange = HeaderChange.extend(LineIdentity).meta({
  id: 'LineChange',
  description: 'A changed field of one row, by its name in responses.',
});
/** Changes of a history entry: field names as in responses, `null` if nothing changed. */
export const Changes = z
  .object({ header: z.array(HeaderChange), lines: z.array(LineChange) })
  .meta({ id: 'Changes', description: 'Changes of a history entry.' });
export type HeaderChange = z.infer<typeof HeaderChange>;
export type LineChange = z.infer<typeof LineChange>;
export type Changes = z.infer<typeof Changes>;

const HeaderDifference = z.object({
  field: z.enum(NEGOTIATED_FIELDS.map((field) => NEGOTIATED[field].current)),
  original: z.string().nullable(),
  reply: z.string().nullable(),
  agreed: z.string().nullable(),
  current: z.string().nullable(),
});

const LineDifference = z.object({
  ...LineIdentity,
  field: z.enum(['qty', 'unitPrice']),
  original: z.number().describe('For a row that the source removed: the last value that it sent.'),
  reply: z.number().nullable(),
  agreed: z.number().nullable().describe('Null before the first approval, and for a row that was added after it.'),
  current: z.number().describe('0 for the quantity of a row that the source removed.'),
});

export const PurchaseOrderDiff = z
  .object({
    poRef: z.string(),
    version: z.int(),
    header: z.array(HeaderDifference),
    lines: z.array(LineDifference),
    totals: z.object({
      originalQty: z.number(),
      qty: z.number(),
      agreedQty: z.number().nullable(),
      originalAmount: z.number(),
      amount: z.number(),
      agreedAmount: z.number().nullable().describe('Null before the first approval, like `agreedQty`.'),
    }),
  })
  .meta({
    id: 'PurchaseOrderDiff',
    description:
      'The fields whose current value differs from the original or the agreed value, and the totals of all rows.',
  });
export type PurchaseOrderDiff = z.infer<typeof PurchaseOrderDiff>;

/** `from*` are null for IMPORT; `actorId` and `actorName` are null for SYSTEM. */
export const HistoryEntry = z
  .object({
    id: z.string(),
    poRef: z.string(),
    action: z.enum(ANY_ACTION_NAMES),
    actionLabel: z.string(),
    actionLabelZh: z.string(),
    fromStatusId: z.int().nullable().describe('Null for `IMPORT`, like its labels.'),
    fromStatus: z.string().nullable(),
    fromStatusZh: z.string().nullable(),
    toStatusId: z.int(),
    toStatus: z.string(),
    toStatusZh: z.string(),
    statusColor: z.string().describe('Color of the resulting status.'),
    comment: z.string().nullable(),
    actorId: z.string().nullable().describe('Null for `SYSTEM`, like the name.'),
    actorName: z.string().nullable(),
    actorRole: z.enum(ACTOR_ROLES),
    occurredAt: Instant,
    commentOmitted: z
      .literal(true)
      .optional()
      .describe(
        'The comment is omitted (`comment` is null), because those of newer entries fill the response. `po.transitions.v1` has it.',
      ),
    changes: Changes.nullable().describe('Null if nothing changed.'),
    changesOmitted: z
      .literal(true)
      .optional()
      .describe(
        'The changes are omitted (`changes` is null), because those of newer entries fill the response. `po.transitions.v1` has them.',
      ),
  })
  .meta({ id: 'HistoryEntry', description: 'One entry of the history of an order.' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const Activity = HistoryEntry.omit({ commentOmitted: true, changes: true, changesOmitted: true, actorId: true })
  .extend({
    poNumber: z.string(),
    vendor: z.string(),
    vendorCode: z.string(),
  })
  .meta({ id: 'Activity', description: 'A status change of an order.' });
export type Activity = z.infer<typeof Activity>;

export const StatusChange = HistoryEntry.pick({
  id: true,
  action: true,
  toStatusId: true,
  comment: true,
  actorName: true,
  actorRole: true,
  occurredAt: true,
})
  .extend({ fromStatusId: z.int() })
  .meta({ id: 'StatusChange', description: 'A status change as in the record of its order: without labels.' });
export type StatusChange = z.infer<typeof StatusChange>;
