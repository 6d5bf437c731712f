import { type Column, columnOf } from './columns.js';
import type { Sheet } from './sheet.js';

/** What a row of a file asks for, as it is written there. */
export type Reply = Record<Exclude<Column, 'poNumber'>, string>;

/** Of a row that has nothing in a column, or of a file that does not have it, the text is empty. */
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

export const asksNothing = ({ vendorReplyQty, vendorReplyUnitPrice }: Reply): boolean =>
  vendorReplyQty === '' && vendorReplyUnitPrice === '';

/** What an order has of a row now. */
interface Stored {
  vendorReplyUnitPrice: number | null;
  sizes: Readonly<Record<string, { rowHash: string; vendorReplyQty: number | null }>>;
}

/** Whether a file asks for anything else than what is stored. A text that is no number does. */
export function asksForChange(replies: readonly Reply[], items: readonly Stored[]): boolean {
  const stored = new Map(
    items.flatMap(({ vendorReplyUnitPrice: price, sizes }) =>
      Object.values(sizes).map(({ rowHash, vendorReplyQty: qty }) => [rowHash, { price, qty }] as const),
    ),
  );
  const isSame = (text: string, value: number | null | undefined) =>
    text === '' || (typeof value === 'number' && Number(text.replace(',', '.')) === value);
  return replies.some((reply) => {
    if (asksNothing(reply)) return false;
    const { price, qty } = stored.get(reply.rowHash) ?? {};
    return !isSame(reply.vendorReplyQty, qty) || !isSame(reply.vendorReplyUnitPrice, price);
  });
}
