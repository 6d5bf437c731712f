import { type Column, columnOf } from './columns.js';
import type { Sheet } from './sheet.js';

/** The reply in one row, as written in the file. */
export type Reply = Record<Exclude<Column, 'poNumber'>, string>;

/** Extracts the replies. A value is empty if the cell is empty or the file lacks the column. */
export function repliesIn({ labels }: Sheet, rows: Sheet['rows']): Reply[] {
  const columns = labels.map(columnOf);
  return rows.map(({ cells }) => {
    const textOf = (column: Column) => cells[columns.indexOf(column)] ?? '';
    return {
      rowHash: textOf('rowHash').toLowerCase(),
      vendorReplyQty: textOf('vendorReplyQty'),
      vendorReplyUnitPrice: textOf('vendorReplyUnitPrice'),
    };
  });
}

export const isEmptyReply = ({ vendorReplyQty, vendorReplyUnitPrice }: Reply): boolean =>
  vendorReplyQty === '' && vendorReplyUnitPrice === '';

/** The stored values of a line item. */
interface Stored {
  vendorReplyUnitPrice: number | null;
  sizes: Readonly<Record<string, { rowHash: string; vendorReplyQty: number | null }>>;
}

/** A number that the API reads in one way only: a comma or point before three digits might separate thousands. */
const PLAIN_NUMBER = /^\d+(?:[.,](?:\d{1,2}|\d{4}))?$/;

/** Whether any reply differs from the stored values. A text that the API may refuse differs. */
export function hasChanges(replies: readonly Reply[], items: readonly Stored[]): boolean {
  const stored = new Map(
    items.flatMap(({ vendorReplyUnitPrice: price, sizes }) =>
      Object.values(sizes).map(({ rowHash, vendorReplyQty: qty }) => [rowHash, { price, qty }] as const),
    ),
  );
  const isSame = (text: string, value: number | null | undefined) =>
    text === '' ||
    (typeof value === 'number' &&
      (text === String(value) || (PLAIN_NUMBER.test(text) && Number(text.replace(',', '.')) === value)));
  return replies.some((reply) => {
    if (isEmptyReply(reply)) return false;
    const { price, qty } = stored.get(reply.rowHash) ?? {};
    return !isSame(reply.vendorReplyQty, qty) || !isSame(reply.vendorReplyUnitPrice, price);
  });
}
