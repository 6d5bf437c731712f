import { z } from 'zod';
import { ACTION_NAMES, ANY_ACTION_NAMES } from './statuses.js';
import { ACTOR_ROLES } from './identity.js';
import { CalendarDate, Instant } from './text.js';

// Responses are described loosely (z.object, not strict): clients tolerate new fields.

export const StatusFields = { statusId: z.int(), status: z.string(), statusZh: z.string(), statusColor: z.string() };

export const PurchaseOrderSummary = z.object({
  id: z.int(),
  poRef: z.string(),
  poNumber: z.string(),
  vendorCode: z.string(),
  vendor: z.string(),
  poDate: CalendarDate,
  originalXfd: CalendarDate,
  vendorReplyXfd: CalendarDate.nullable(),
  xfDate: CalendarDate,
  currency: z.string(),
  amount: z.number(),
  originalAmount: z.number(),
  totalQty: z.number(),
  originalTotalQty: z.number(),
  lineCount: z.int(),
  ...StatusFields,
  hasPendingChanges: z.boolean(),
  hasSourceConflict: z.boolean(),
  isOverdue: z.boolean(),
  containerNumber: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  version: z.int(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type PurchaseOrderSummary = z.infer<typeof PurchaseOrderSummary>;

export const AvailableAction = z.object({
  action: z.enum(ACTION_NAMES),
  label: z.string(),
  labelZh: z.string(),
  fromStatusId: z.int(),
  toStatusId: z.int(),
  toStatus: z.string(),
  toStatusZh: z.string(),
  requiresComment: z.boolean(),
  tone: z.enum(['primary', 'danger', 'neutral']),
});
export type AvailableAction = z.infer<typeof AvailableAction>;

const SizeEntry = z.object({
  qty: z.number(),
  originalQty: z.number(),
  vendorReplyQty: z.number().nullable(),
  agreedQty: z.number().nullable(),
  rowHash: z.string(),
  lineId: z.string(),
});

export const LineItem = z.object({
  code: z.string(),
  style: z.string(),
  color: z.string(),
  unitPrice: z.number(),
  originalUnitPrice: z.number(),
  vendorReplyUnitPrice: z.number().nullable(),
  agreedUnitPrice: z.number().nullable(),
  sizes: z.record(z.string(), SizeEntry),
  sizeOrder: z.array(z.string()),
  totalQty: z.number(),
  originalTotalQty: z.number(),
  totalAmount: z.number(),
  originalTotalAmount: z.number(),
  isModified: z.boolean(),
});
export type LineItem = z.infer<typeof LineItem>;

/** What the order itself is, whoever looks: the part of the detail that is also published on `po.state.v1`. */
export const PurchaseOrderContent = PurchaseOrderSummary.extend({
  originalFactory: z.string().nullable(),
  vendorReplyFactory: z.string().nullable(),
  factory: z.string().nullable(),
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
  agreedAt: Instant.nullable(),
  agreedXfd: CalendarDate.nullable(),
  agreedFactory: z.string().nullable(),
  sourceRevision: z.int(),
  lastSyncedAt: Instant,
});
export type PurchaseOrderContent = z.infer<typeof PurchaseOrderContent>;

export const PurchaseOrderDetail = PurchaseOrderContent.extend({
  editableFields: z.array(z.string()),
  availableActions: z.array(AvailableAction),
  lineItems: z.array(LineItem).optional(),
});
export type PurchaseOrderDetail = z.infer<typeof PurchaseOrderDetail>;

const Pagination = z.object({ total: z.int(), page: z.int(), limit: z.int(), totalPages: z.int() });
export const PurchaseOrderList = z.object({ data: z.array(PurchaseOrderSummary), pagination: Pagination });
export type PurchaseOrderList = z.infer<typeof PurchaseOrderList>;

export const TransitionResult = z.object({
  success: z.literal(true),
  newStatusId: z.int(),
  newStatus: z.string(),
  message: z.string(),
  newStatusZh: z.string(),
  version: z.int(),
  historyId: z.string(),
});
export type TransitionResult = z.infer<typeof TransitionResult>;

const ChangeValue = z.union([z.string(), z.number(), z.null()]);
export const HeaderChange = z.object({ field: z.string(), from: ChangeValue, to: ChangeValue });
export const LineChange = HeaderChange.extend({
  rowHash: z.string(),
  code: z.string(),
  style: z.string(),
  color: z.string(),
  size: z.string(),
});
/** What moved with a history entry: field names as in the responses, `null` where nothing did. */
export const Changes = z.object({ header: z.array(HeaderChange), lines: z.array(LineChange) });
export type HeaderChange = z.infer<typeof HeaderChange>;
export type LineChange = z.infer<typeof LineChange>;
export type Changes = z.infer<typeof Changes>;

/** `from*` are null for IMPORT; `actorId` and `actorName` are null for SYSTEM. */
export const HistoryEntry = z.object({
  id: z.string(),
  poRef: z.string(),
  action: z.enum(ANY_ACTION_NAMES),
  actionLabel: z.string(),
  actionLabelZh: z.string(),
  fromStatusId: z.int().nullable(),
  fromStatus: z.string().nullable(),
  fromStatusZh: z.string().nullable(),
  toStatusId: z.int(),
  toStatus: z.string(),
  toStatusZh: z.string(),
  statusColor: z.string(),
  comment: z.string().nullable(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  actorRole: z.enum(ACTOR_ROLES),
  occurredAt: Instant,
  changes: Changes.nullable(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const Activity = HistoryEntry.omit({ changes: true, actorId: true }).extend({
  poNumber: z.string(),
  vendor: z.string(),
  vendorCode: z.string(),
});
export type Activity = z.infer<typeof Activity>;
