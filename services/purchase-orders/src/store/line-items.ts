import type { Line, Money, Negotiated } from '../domain/order.js';
import { type LinesOfItem, itemKey } from '../domain/values.js';
import type { LineItemEntity, NegotiatedSide, SourceSide } from './line-item.entity.js';

/** A line item's row as read from the database. */
export type LineItemRow = Omit<LineItemEntity, 'vendorCode' | 'rowCount'>;

/** Bits of `rowFlags` and of `valueFlags`. */
const REMOVED = 1;
const REMOVAL_ECHOED = 2;
const QTY = { sourceChanged: 1, edited: 2 };
const PRICE = { sourceChanged: 4, edited: 8 };

/** The lines of an order's line items, in source order, including removed ones. */
export function linesOf(rows: readonly LineItemRow[]): Line[] {
  return rows
    .flatMap((row) => row.source.map((source, place) => lineOf(row, source, row.negotiated?.[place] ?? null)))
    .sort((a, b) => a.position - b.position);
}

/** The rows of line items with a line that differs from the stored one. A line is never deleted, only marked as removed. */
export function changedLineItems(
  order: { id: number; vendorCode: string },
  before: readonly Line[],
  after: readonly Line[],
): LineItemEntity[] {
  if (before === after) return [];
  const stored = new Map(before.map((line) => [line.rowHash, line]));
  const changed = new Set(after.filter((line) => !isSame(line, stored.get(line.rowHash))).map(itemKey));
  if (changed.size === 0) return [];
  return [...Map.groupBy(after, itemKey)]
    .filter(([key]) => changed.has(key))
    .map(([, lines]) => lineItemRowOf(lines as LinesOfItem, order));
}

function lineItemRowOf(lines: LinesOfItem, order: { id: number; vendorCode: string }): LineItemEntity {
  const [{ code, style, color }] = lines;
  const negotiated = lines.map(negotiatedSideOf);
  return {
    orderId: order.id,
    code,
    style,
    color,
    vendorCode: order.vendorCode,
    rowCount: lines.filter(({ removed }) => !removed).length,
    source: lines.map(sourceSideOf),
    negotiated: negotiated.some((side) => side !== null) ? negotiated : null,
  };
}

function isSame(line: Line, stored: Line | undefined): boolean {
  if (line === stored) return true;
  return (
    stored !== undefined &&
    areSame(sourceSideOf(line), sourceSideOf(stored)) &&
    areSame(negotiatedSideOf(line) ?? [], negotiatedSideOf(stored) ?? [])
  );
}

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

function sourceSideOf({ rowHash, position, lineId, size, sku, qty, price, removed, removalEchoed }: Line): SourceSide {
  const rowFlags = (removed ? REMOVED : 0) | (removalEchoed ? REMOVAL_ECHOED : 0);
  const prices = [Number(price.original), Number(price.source)] as const;
  return [rowHash, position, lineId, size, sku, qty.original, qty.source, ...prices, rowFlags];
}

function negotiatedSideOf({ qty, price }: Line): NegotiatedSide {
  const valueFlags = valueFlagsOf(qty, QTY) | valueFlagsOf(price, PRICE);
  if (qty.reply === null && qty.agreed === null && price.reply === null && price.agreed === null && valueFlags === 0) {
    return null;
  }
  return [qty.reply, qty.agreed, numberOf(price.reply), numberOf(price.agreed), valueFlags];
}

const valueFlagsOf = ({ sourceChanged, edited }: Negotiated<unknown>, bits: typeof QTY): number =>
  (sourceChanged ? bits.sourceChanged : 0) | (edited ? bits.edited : 0);

// At most 14 digits, so a double represents it exactly.
const numberOf = (money: Money | null): number | null => (money === null ? null : Number(money));
const moneyOf = (value: number | null): Money | null => (value === null ? null : BigInt(value));

function lineOf({ code, style, color }: LineItemRow, source: SourceSide, negotiated: NegotiatedSide): Line {
  const [rowHash, position, lineId, size, sku, originalQty, sourceQty, originalPrice, sourcePrice, rowFlags] = source;
  const [replyQty, agreedQty, replyPrice, agreedPrice, valueFlags] = negotiated ?? [null, null, null, null, 0];
  return {
    rowHash,
    position,
    lineId,
    code,
    style,
    color,
    size,
    sku,
    removed: (rowFlags & REMOVED) !== 0,
    removalEchoed: (rowFlags & REMOVAL_ECHOED) !== 0,
    qty: {
      original: originalQty,
      source: sourceQty,
      reply: replyQty,
      agreed: agreedQty,
      sourceChanged: (valueFlags & QTY.sourceChanged) !== 0,
      edited: (valueFlags & QTY.edited) !== 0,
    },
    price: {
      original: BigInt(originalPrice),
      source: BigInt(sourcePrice),
      reply: moneyOf(replyPrice),
      agreed: moneyOf(agreedPrice),
      sourceChanged: (valueFlags & PRICE.sourceChanged) !== 0,
      edited: (valueFlags & PRICE.edited) !== 0,
    },
  };
}
