import { type PurchaseOrderSummary, type StatusId, statusOf } from '@po/contracts';
import type { OrderRow } from '../store/order-rows.js';

/** The columns a list reads. */
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
] as const satisfies readonly (keyof OrderRow)[];

export type SummaryRow = Pick<OrderRow, (typeof SUMMARY_PROPERTIES)[number] | 'vendorName'>;

/** The calendar date in UTC. */
export const dateOf = (instant: Date): string => instant.toISOString().slice(0, 10);

export function summaryOf(row: SummaryRow, now: Date): PurchaseOrderSummary {
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

/** Whether it is, or was, late on the day of this instant, in UTC. */
export const isOverdue = ({ xfDate, statusId }: Pick<OrderRow, 'xfDate' | 'statusId'>, at: Date): boolean =>
  xfDate < dateOf(at) && statusOf(statusId).isOpen;
