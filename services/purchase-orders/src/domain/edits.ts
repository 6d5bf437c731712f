import {
  type FieldRefusal,
  type HeaderPatch,
  type LinePatch,
  NEGOTIATED,
  NEGOTIATED_FIELDS,
  ProblemError,
  statusOf,
} from '@po/contracts';
import { moneyOf } from './money.js';
import type { Line, VendorValue, Money, Negotiated, NegotiatedHeader, Order } from './order.js';
import { byNegotiatedField, itemKey } from './values.js';

/** The order with the vendor's header replies; the same object if nothing changes. Throws VALUE_OUT_OF_RANGE. */
export function applyHeaderPatch(order: Order, patch: HeaderPatch): Order {
  const errors = earlyDates(order, patch);
  if (errors.length > 0) throw new ProblemError('VALUE_OUT_OF_RANGE', {}, { errors });
  // In these statuses, container and tracking number are facts about a shipment, not proposals.
  const shipment = statusOf(order.statusId).acceptsShipment ? fact : proposal;
  return changed(order, {
    ...byNegotiatedField<NegotiatedHeader>((field) =>
      reply<string | null>(order[field], patch[NEGOTIATED[field].request]),
    ),
    comment: proposal(order.comment, patch.vendor_reply_comment),
    container: shipment(order.container, patch.container_number),
    tracking: shipment(order.tracking, patch.tracking_number),
  });
}

function earlyDates(order: Order, patch: HeaderPatch): FieldRefusal[] {
  return NEGOTIATED_FIELDS.flatMap((field): FieldRefusal[] => {
    const { type, request } = NEGOTIATED[field];
    const value = patch[request];
    const { poDate } = order;
    // The source may have moved the order date past a stored reply. A patch that repeats this reply changes nothing and is allowed.
    if (type !== 'date' || !value || value >= poDate || value === order[field].reply) return [];
    const message = { en: `must not be before the order date ${poDate}`, zh: `不能早于下单日期 ${poDate}` };
    return [{ in: 'body', pointer: `/${request}`, code: 'BEFORE_PO_DATE', message }];
  });
}

/**
 * The order with the vendor's quantities and prices; the same object if nothing changes. A price applies to the whole item.
 * Throws ROW_NOT_FOUND for row hashes that are not in this order, VALIDATION_FAILED for two prices of one item.
 */
export function applyLinesPatch(order: Order, patches: readonly LinePatch[]): Order {
  const live = new Map(order.lines.filter(({ removed }) => !removed).map((line) => [line.rowHash, line]));
  const unknown = patches.flatMap(({ rowHash }, index): FieldRefusal[] =>
    live.has(rowHash)
      ? []
      : [
          {
            in: 'body',
            pointer: `/lines/${index}/rowHash`,
            code: 'ROW_NOT_FOUND',
            message: { en: 'is not a row of this order', zh: '不是该订单的行' },
          },
        ],
  );
  // Errors in the request itself (400) come before lines that this order does not have (422).
  const prices = pricesByItem(patches, live);
  if (unknown.length > 0) throw new ProblemError('ROW_NOT_FOUND', {}, { errors: unknown });

  const quantities = new Map(patches.map(({ rowHash, vendorReplyQty }) => [rowHash, vendorReplyQty]));
  const isAffected = (line: Line) =>
    !line.removed && (quantities.has(line.rowHash) || (prices.size > 0 && prices.has(itemKey(line))));
  const lines = order.lines.map((line) =>
    isAffected(line)
      ? changed(line, {
          qty: reply(line.qty, quantities.get(line.rowHash)),
          price: reply(line.price, prices.get(itemKey(line))),
        })
      : line,
  );
  return lines.every((line, index) => line === order.lines[index]) ? order : { ...order, lines };
}

function pricesByItem(patches: readonly LinePatch[], live: ReadonlyMap<string, Line>): Map<string, Money | null> {
  const prices = new Map<string, Money | null>();
  const conflicts: FieldRefusal[] = [];
  for (const [index, { rowHash, vendorReplyUnitPrice }] of patches.entries()) {
    const line = live.get(rowHash);
    if (vendorReplyUnitPrice === undefined || !line) continue;
    const price = vendorReplyUnitPrice === null ? null : moneyOf(vendorReplyUnitPrice);
    const key = itemKey(line);
    if (prices.has(key) && prices.get(key) !== price) {
      const item = `${line.code} / ${line.style} / ${line.color}`;
      conflicts.push({
        in: 'body',
        pointer: `/lines/${index}/vendorReplyUnitPrice`,
        code: 'TWO_PRICES',
        message: {
          en: `must be the same for every row of item ${item}`,
          zh: `款色 ${item} 的各行单价必须相同`,
        },
      });
    }
    prices.set(key, price);
  }
  if (conflicts.length > 0) throw new ProblemError('VALIDATION_FAILED', {}, { errors: conflicts });
  return prices;
}

// `undefined` means "not in the request". Returning the same object means "no change"; the store relies on it.
function reply<T>(value: Negotiated<T>, next: T | null | undefined): Negotiated<T> {
  return next === undefined || next === value.reply ? value : { ...value, reply: next, edited: true };
}

function proposal(value: VendorValue, next: string | null | undefined): VendorValue {
  return next === undefined || next === value.value ? value : { ...value, value: next, edited: true };
}

function fact(value: VendorValue, next: string | null | undefined): VendorValue {
  return next === undefined || next === value.value ? value : { ...value, value: next, baseline: next };
}

function changed<T extends object>(whole: T, parts: Partial<T>): T {
  const differs = (Object.keys(parts) as (keyof T)[]).some((name) => parts[name] !== whole[name]);
  return differs ? { ...whole, ...parts } : whole;
}
