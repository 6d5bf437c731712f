import {
  type Action,
  type Agreement,
  type Changes,
  type HeaderChange,
  type LineChange,
  NEGOTIATED,
  NEGOTIATED_FIELDS,
  type StatusId,
} from '@po/contracts';
import { moneyToNumber } from './money.js';
import type { Line, VendorValue, Negotiated, NegotiatedHeader, Order } from './order.js';
import { withoutReply } from './source-values.js';
import { type Deviation, deviationOf } from './tolerances.js';
import { agreementOf, baseline, byNegotiatedField, current, identityOf, isLineAgreed, currentLines } from './values.js';

export interface AppliedTransition {
  order: Order;
  changes: Changes | null;
  /** On APPROVE only. */
  agreed?: Agreement;
  /** On SUBMIT only. */
  deviation?: Deviation;
}

/** Applies an allowed transition. Returns the order and the content of its history entry besides the statuses. */
export function applyTransition(
  order: Order,
  { action, toStatusId, now }: { action: Action; toStatusId: StatusId; now: Date },
): AppliedTransition {
  const moved = { ...order, statusId: toStatusId };
  switch (action) {
    case 'SUBMIT':
      return {
        order: withVendorValuesRecorded(moved),
        changes: changesOf(proposedHeader(order), proposedLines(order)),
        deviation: deviationOf(order),
      };
    case 'APPROVE': {
      const agreed = withVendorValuesRecorded(agree(moved, now));
      return {
        order: agreed,
        changes: changesOf(unrecordedVendorValues(order), []),
        agreed: agreementOf(agreed) as Agreement,
      };
    }
    case 'REJECT':
    case 'RECALL':
    case 'MOVE_TO_PRODUCTION':
    case 'MARK_SHIPPED':
    case 'CONFIRM_DELIVERY':
    case 'CANCEL':
      return { order: withVendorValuesRecorded(moved), changes: changesOf(unrecordedVendorValues(order), []) };
    default:
      return action satisfies never;
  }
}

/** Changes of container and tracking number since the last history entry. */
export function unrecordedVendorValues(order: Order): HeaderChange[] {
  const change = (field: string, { recorded, value }: VendorValue): HeaderChange[] =>
    recorded === value ? [] : [{ field, from: recorded, to: value }];
  return [...change('containerNumber', order.container), ...change('trackingNumber', order.tracking)];
}

/** The order after its next history entry: values in that entry are not repeated in later ones. */
export function withVendorValuesRecorded(order: Order): Order {
  const recorded = (each: VendorValue): VendorValue =>
    each.recorded === each.value ? each : { ...each, recorded: each.value };
  return {
    ...order,
    comment: recorded(order.comment),
    container: recorded(order.container),
    tracking: recorded(order.tracking),
  };
}

/** Null if there are no changes. */
export function changesOf(header: HeaderChange[], lines: LineChange[]): Changes | null {
  return header.length + lines.length === 0 ? null : { header, lines };
}

/** Change of one field of a line, as shown in the history. */
export function lineChange(line: Line, field: string, from: LineChange['from'], to: LineChange['to']): LineChange {
  return { ...identityOf(line), field, from, to };
}

function agree(order: Order, now: Date): Order {
  const settled = <T>(value: Negotiated<T>): Negotiated<T> => ({
    ...value,
    agreed: current(value),
    sourceChanged: false,
    edited: false,
  });
  const settledValue = (each: VendorValue): VendorValue => ({ ...each, baseline: each.value, edited: false });
  return {
    ...order,
    ...byNegotiatedField<NegotiatedHeader>((field) => settled<string | null>(order[field])),
    comment: settledValue(order.comment),
    container: settledValue(order.container),
    tracking: settledValue(order.tracking),
    agreedAt: now.toISOString(),
    hasSourceConflict: false,
    lines: order.lines.map((line) =>
      line.removed
        ? { ...line, qty: superseded(line.qty), price: superseded(line.price) }
        : { ...line, qty: settled(line.qty), price: settled(line.price) },
    ),
  };
}

/** Value of a line that left the order: it is no longer agreed, and its reply is dropped so that it cannot return with the line. */
const superseded = <T>(value: Negotiated<T>): Negotiated<T> => ({ ...withoutReply(value), agreed: null });

function proposedHeader(order: Order): HeaderChange[] {
  const isAgreed = order.agreedAt !== null;
  const negotiatedValue = (field: string, negotiated: Negotiated<string | null>): HeaderChange[] => {
    const [from, to] = [baseline(negotiated, isAgreed), current(negotiated)];
    return negotiated.edited && from !== to ? [{ field, from, to }] : [];
  };
  const vendorValue = (field: string, { edited, baseline: from, value: to }: VendorValue): HeaderChange[] =>
    edited && from !== to ? [{ field, from, to }] : [];
  return [
    ...NEGOTIATED_FIELDS.flatMap((field) => negotiatedValue(NEGOTIATED[field].current, order[field])),
    ...vendorValue('vendorReplyComment', order.comment),
    ...vendorValue('containerNumber', order.container),
    ...vendorValue('trackingNumber', order.tracking),
  ];
}

function proposedLines(order: Order): LineChange[] {
  return currentLines(order).flatMap((line) => {
    const { qty, price } = line;
    const isAgreed = isLineAgreed(line);
    const [fromQty, toQty] = [baseline(qty, isAgreed), current(qty)];
    const [fromPrice, toPrice] = [baseline(price, isAgreed), current(price)];
    return [
      ...(qty.edited && fromQty !== toQty ? [lineChange(line, 'qty', fromQty, toQty)] : []),
      ...(price.edited && fromPrice !== toPrice
        ? [lineChange(line, 'unitPrice', moneyToNumber(fromPrice), moneyToNumber(toPrice))]
        : []),
    ];
  });
}
