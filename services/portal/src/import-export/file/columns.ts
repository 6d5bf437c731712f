import { columnsBy } from '@po/spreadsheets';

/** Columns of an export that an import reads, with their labels in both languages. */
export const LABELS = {
  poNumber: ['PO Number', '订单号'],
  rowHash: ['Row ID', '行标识'],
  vendorReplyQty: ['Reply Qty', '回复数量'],
  vendorReplyUnitPrice: ['Reply Price', '回复单价'],
} as const;

export type Column = keyof typeof LABELS;

/** The column with this label; undefined if the import ignores it. */
export const columnOf = columnsBy<Column>(LABELS);
