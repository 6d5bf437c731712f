import { columnsBy } from '@po/spreadsheets';

/** The columns of an export that an import looks at, by their labels in either language. */
export const LABELS = {
  poNumber: ['PO Number', '订单号'],
  rowHash: ['Row ID', '行标识'],
  vendorReplyQty: ['Reply Qty', '回复数量'],
  vendorReplyUnitPrice: ['Reply Price', '回复单价'],
} as const;

export type Column = keyof typeof LABELS;

/** The column that a label names; undefined for one that is read over. */
export const columnOf = columnsBy<Column>(LABELS);
