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
import type { Cell, Fact, Money, Negotiated, NegotiatedHeader, Order } from './order.js';
import { byNegotiatedField, itemKey } from './values.js';

/** The order with the vendor's header replies; the same object if nothing changes. Throws VALUE_OUT_OF_RANGE. */
export function applyHeaderPatch(order: Order, patch: HeaderPatch): Order {
  const errors = earlyDates(order, patch);
  if (errors.length > 0) throw new ProblemError('VALUE_OUT_OF_RANGE', {}, { errors });
  // In these statuses, container and tracking number are facts about a shipment, not proposals.
  const isShipmentFact = statusOf(order.statusId).acceptsShipment;
  return changed(order, {
    ...byNegotiatedField<NegotiatedHeader>((field) =>
      reply<string | null>(order[field], patch[NEGOTIATED[field].request]),
    ),
    comment: state(order.comment, patch.vendor_reply_comment, false),
    container: state(order.container, patch.container_number, isShipmentFact),
    tracking: state(order.tracking, patch.tracking_number, isShipmentFact),
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
export function applyLinesPatch(order: Order, lines: readonly LinePatch[]): Order {
  const live = new Map(order.cells.filter(({ removed }) => !removed).map((cell) => [cell.rowHash, cell]));
  const unknown = lines.flatMap(({ rowHash }, index): FieldRefusal[] =>
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
  // Errors in the request itself (400) come before rows that this order does not have (422).
  const prices = pricesByItem(lines, live);
  if (unknown.length > 0) throw new ProblemError('ROW_NOT_FOUND', {}, { errors: unknown });

  const quantities = new Map(lines.map(({ rowHash, vendorReplyQty }) => [rowHash, vendorReplyQty]));
  const isAffected = (cell: Cell) =>
    !cell.removed && (quantities.has(cell.rowHash) || (prices.size > 0 && prices.has(itemKey(cell))));
  const cells = order.cells.map((cell) =>
    isAffected(cell)
      ? changed(cell, {
          qty: reply(cell.qty, quantities.get(cell.rowHash)),
          price: reply(cell.price, prices.get(itemKey(cell))),
        })
      : cell,
  );
  return cells.every((cell, index) => cell === order.cells[index]) ? order : { ...order, cells };
}

function pricesByItem(lines: readonly LinePatch[], live: ReadonlyMap<string, Cell>): Map<string, Money | null> {
  const prices = new Map<string, Money | null>();
  const conflicts: FieldRefusal[] = [];
  for (const [index, { rowHash, vendorReplyUnitPrice }] of lines.entries()) {
    const cell = live.get(rowHash);
    if (vendorReplyUnitPrice === undefined || !cell) continue;
    const price = vendorReplyUnitPrice === null ? null : moneyOf(vendorReplyUnitPrice);
    const key = itemKey(cell);
    if (prices.has(key) && prices.get(key) !== price) {
      const item = `${cell.code} / ${cell.style} / ${cell.color}`;
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

function state(fact: Fact, next: string | null | undefined, isShipmentFact: boolean): Fact {
  if (next === undefined || next === fact.value) return fact;
  return isShipmentFact ? { ...fact, value: next, baseline: next } : { ...fact, value: next, edited: true };
}

function changed<T extends object>(whole: T, parts: Partial<T>): T {
  const differs = (Object.keys(parts) as (keyof T)[]).some((name) => parts[name] !== whole[name]);
  return differs ? { ...whole, ...parts } : whole;
}
