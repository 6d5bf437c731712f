import { type NextDue, type PurchaseOrderSummary, type Role, type StatusId, statusOf } from '@po/contracts';
import type { BusinessCalendar } from '../domain/reminders/business-calendar.js';
import { sideOf } from '../domain/side.js';
import { nextDueFor } from '../domain/reminders/reminders.js';
import type { OrderRow } from '../store/order-rows.js';

/** The columns that a list reads. */
export const SUMMARY_PROPERTIES = [
  'id',
  'poNumber',
  'vendorCode',
  'poDate',
  'originalXfd',
  'vendorReplyXfd',
  'xfDate',
  'currency',
  'amount',
  'originalAmount',
  'totalQty',
  'originalTotalQty',
  'lineCount',
  'statusId',
  'hasPendingChanges',
  'hasSourceConflict',
  'containerNumber',
  'trackingNumber',
  'version',
  'createdAt',
  'updatedAt',
  'waitingFirstDueAt',
  'waitingNextDueAt',
  'overdueFirstDueAt',
  'overdueNextDueAt',
] as const satisfies readonly (keyof OrderRow)[];

export type SummaryRow = Pick<OrderRow, (typeof SUMMARY_PROPERTIES)[number] | 'vendorName'>;

/** The calendar date in UTC. */
export const dateOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** A summary as a caller of this role sees it. */
export const summaryFor = (
  row: SummaryRow,
  role: Role,
  calendar: BusinessCalendar,
  now: Date,
): PurchaseOrderSummary => ({
  ...summaryOf(row, now),
  nextDue: nextDueOf(row, role, calendar),
});

/** The next reminder for the side of this role. */
export function nextDueOf(row: SummaryRow, role: Role, calendar: BusinessCalendar): NextDue | null {
  const { statusId } = row;
  const waiting = { firstDueAt: row.waitingFirstDueAt, nextDueAt: row.waitingNextDueAt };
  const overdue = { firstDueAt: row.overdueFirstDueAt, nextDueAt: row.overdueNextDueAt };
  return nextDueFor(sideOf(role), { statusId, waiting, overdue }, calendar);
}

/** The part of a summary that is the same for all callers. */
export function summaryOf(row: SummaryRow, now: Date): Omit<PurchaseOrderSummary, 'nextDue'> {
  return {
    id: row.id,
    poRef: row.poNumber,
    poNumber: row.poNumber,
    vendorCode: row.vendorCode,
    vendor: row.vendorName,
    poDate: row.poDate,
    originalXfd: row.originalXfd,
    vendorReplyXfd: row.vendorReplyXfd,
    xfDate: row.xfDate,
    currency: row.currency,
    amount: Number(row.amount),
    originalAmount: Number(row.originalAmount),
    totalQty: Number(row.totalQty),
    originalTotalQty: Number(row.originalTotalQty),
    lineCount: row.lineCount,
    ...statusFields(row.statusId),
    hasPendingChanges: row.hasPendingChanges,
    hasSourceConflict: row.hasSourceConflict,
    isOverdue: isOverdue(row, now),
    containerNumber: row.containerNumber,
    trackingNumber: row.trackingNumber,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function statusFields(statusId: StatusId) {
  const { status, statusZh, statusColor } = statusOf(statusId);
  return { statusId, status, statusZh, statusColor };
}

/** Whether the order is overdue on the date of this instant, in UTC. */
const isOverdue = ({ xfDate, statusId }: Pick<OrderRow, 'xfDate' | 'statusId'>, at: Date): boolean =>
  xfDate < dateOf(at) && statusOf(statusId).isOpen;
