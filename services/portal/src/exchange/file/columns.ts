/** The columns of an export that an import looks at, by their labels in either language. */
export const LABELS = {
  poNumber: ['PO Number', '订单号'],
  rowHash: ['Row ID', '行标识'],
  vendorReplyQty: ['Reply Qty', '回复数量'],
  vendorReplyUnitPrice: ['Reply Price', '回复单价'],
} as const;

export type Column = keyof typeof LABELS;

/** A label without what people and programs change about it: case, spaces, full width. */
const plain = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u200b\ufeff]+/g, '');

const COLUMN_OF: ReadonlyMap<string, Column> = new Map(
  (Object.keys(LABELS) as Column[]).flatMap((column) => LABELS[column].map((label) => [plain(label), column])),
);

/** The column that a label names; undefined for one that is read over. */
export const columnOf = (label: string): Column | undefined => COLUMN_OF.get(plain(label));
