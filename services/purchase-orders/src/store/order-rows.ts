import { formatMoney } from '../domain/money.js';
import { columnsOfNegotiated, negotiatedOf } from './negotiated-columns.js';
import type { OrderEntity } from './order.entity.js';
import type { Line, VendorValue, Order, OrderTerms } from '../domain/order.js';
import type { Stamp, StoredOrder } from './stored-order.js';
import { current, hasPendingChanges, totals } from '../domain/values.js';
import type { OrderReminders, RuleProgress } from '../domain/reminders/reminders.js';

/** An order's row as read from the database, with its vendor's name. */
export type OrderRow = Omit<OrderEntity, 'recentActivity' | 'sourceDigest'> & { vendorName: string };

/** The row of an order that is locked for a change. */
export type LockedRow = OrderRow & Pick<OrderEntity, 'recentActivity'>;

/** A stored order without the values that only changes need. */
export type ReadableOrder = Omit<StoredOrder, 'recentActivity'>;

/** The columns of an order's reminders. */
export type ReminderColumns = Pick<
  OrderEntity,
  'remindersGeneration' | `${'waiting' | 'overdue'}${'Since' | 'DoneUntil' | 'FirstDueAt' | 'NextDueAt'}`
>;

/** The columns that a rule can change; the store adds ids and times. */
type OrderColumns = Omit<
  OrderRow,
  'id' | 'vendorName' | 'createdAt' | 'updatedAt' | 'lastSyncedAt' | keyof ReminderColumns
>;

/** Builds an order from its row and its lines (in source order). */
export function orderOf(row: OrderRow, lines: readonly Line[]): ReadableOrder {
  return {
    id: row.id,
    vendorName: row.vendorName,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    lastSyncedAt: row.lastSyncedAt.toISOString(),
    reminders: remindersOf(row),
    poNumber: row.poNumber,
    vendorCode: row.vendorCode,
    statusId: row.statusId,
    version: row.version,
    sequence: row.sequence,
    sourceRevision: Number(row.sourceRevision),
    poDate: row.poDate,
    currency: row.currency,
    terms: termsOf(row),
    ...negotiatedOf(row),
    comment: vendorValue(row.vendorReplyComment, row.commentBaseline, row.commentEdited, row.commentRecorded),
    container: vendorValue(row.containerNumber, row.containerBaseline, row.containerEdited, row.containerRecorded),
    tracking: vendorValue(row.trackingNumber, row.trackingBaseline, row.trackingEdited, row.trackingRecorded),
    agreedAt: row.agreedAt?.toISOString() ?? null,
    hasSourceConflict: row.hasSourceConflict,
    lines,
  };
}

/** The stamp that cached lines must have to belong to this row. */
export function stampOf(row: OrderRow): Stamp {
  return {
    version: row.version,
    sourceRevision: Number(row.sourceRevision),
    updatedAt: row.updatedAt.toISOString(),
    lastSyncedAt: row.lastSyncedAt.toISOString(),
  };
}

/** Picks the terms from a row with other columns. */
export function termsOf(row: OrderTerms): OrderTerms {
  const { season, brand, shipMode, tradeTerm, paymentTerm, destination, buyerName, buyerEmail, remarks } = row;
  return { season, brand, shipMode, tradeTerm, paymentTerm, destination, buyerName, buyerEmail, remarks };
}

/** The columns of an order, including derived ones. */
function columnsOfOrder(order: Order): OrderColumns {
  const { comment, container, tracking } = order;
  const { amount, originalAmount, totalQty, originalTotalQty, lineCount } = totals(order);
  return {
    poNumber: order.poNumber,
    vendorCode: order.vendorCode,
    statusId: order.statusId,
    version: order.version,
    sequence: order.sequence,
    sourceRevision: String(order.sourceRevision),
    poDate: order.poDate,
    currency: order.currency,
    ...order.terms,
    ...columnsOfNegotiated(order),
    vendorReplyComment: comment.value,
    commentBaseline: comment.baseline,
    commentEdited: comment.edited,
    commentRecorded: comment.recorded,
    containerNumber: container.value,
    containerBaseline: container.baseline,
    containerEdited: container.edited,
    containerRecorded: container.recorded,
    trackingNumber: tracking.value,
    trackingBaseline: tracking.baseline,
    trackingEdited: tracking.edited,
    trackingRecorded: tracking.recorded,
    agreedAt: order.agreedAt === null ? null : new Date(order.agreedAt),
    hasSourceConflict: order.hasSourceConflict,
    xfDate: current(order.xfd),
    amount: formatMoney(amount),
    originalAmount: formatMoney(originalAmount),
    totalQty: String(totalQty),
    originalTotalQty: String(originalTotalQty),
    lineCount,
    hasPendingChanges: hasPendingChanges(order),
  };
}

/** The row of an order that was just written, equal to the result of reading it again. */
export function orderRowOf(order: StoredOrder): LockedRow {
  return {
    ...columnsOfOrder(order),
    id: order.id,
    vendorName: order.vendorName,
    recentActivity: order.recentActivity,
    createdAt: new Date(order.createdAt),
    updatedAt: new Date(order.updatedAt),
    lastSyncedAt: new Date(order.lastSyncedAt),
    ...columnsOfReminders(order.reminders),
  };
}

function vendorValue(
  value: string | null,
  baseline: string | null,
  edited: boolean,
  recorded: string | null,
): VendorValue {
  return { value, baseline, edited, recorded };
}

/** The reminders of a row, with the facts that they were computed from. */
export function remindersOf(row: ReminderColumns & Pick<OrderEntity, 'statusId' | 'xfDate'>): OrderReminders {
  return {
    generation: row.remindersGeneration,
    statusId: row.statusId,
    xfDate: row.xfDate,
    waiting: progressOf(row.waitingSince, row.waitingDoneUntil, row.waitingFirstDueAt, row.waitingNextDueAt),
    overdue: progressOf(row.overdueSince, row.overdueDoneUntil, row.overdueFirstDueAt, row.overdueNextDueAt),
  };
}

export function columnsOfReminders({ generation, waiting, overdue }: OrderReminders): ReminderColumns {
  return {
    remindersGeneration: generation,
    waitingSince: waiting?.since ?? null,
    waitingDoneUntil: waiting?.doneUntil ?? null,
    waitingFirstDueAt: waiting?.firstDueAt ?? null,
    waitingNextDueAt: waiting?.nextDueAt ?? null,
    overdueSince: overdue?.since ?? null,
    overdueDoneUntil: overdue?.doneUntil ?? null,
    overdueFirstDueAt: overdue?.firstDueAt ?? null,
    overdueNextDueAt: overdue?.nextDueAt ?? null,
  };
}

const progressOf = (
  since: Date | null,
  doneUntil: Date | null,
  firstDueAt: Date | null,
  nextDueAt: Date | null,
): RuleProgress | null => since && { since, doneUntil, firstDueAt, nextDueAt };
