import {
  type Changes,
  type HeaderChange,
  NEGOTIATED,
  type NegotiatedField,
  STATUS,
  type SystemAction,
  statusOf,
} from '@po/contracts';
import { changesOf, unrecordedVendorValues, withVendorValuesRecorded } from '../transitions.js';
import type { VendorValue, Negotiated, NegotiatedHeader, Order, OrderTerms, SourceOrder } from '../order.js';
import { reconcileLines } from './reconcile-lines.js';
import { fromSource, applySourceValue } from '../source-values.js';
import { byNegotiatedField } from '../values.js';

/**
 * Effect of an inventory message on the order. `ignored`: none. `synced`: only the source's last values are stored; version and content
 * stay. `changed`: one change; if `action` is null, it is silent and has no history entry. The store raises `version` and `sequence`.
 */
export type Reconciliation =
  | { kind: 'ignored' }
  | { kind: 'synced'; order: Order }
  | { kind: 'changed'; order: Order; action: SystemAction | null; changes: Changes | null };

/** Applies the source's snapshot to the stored order; null creates the order. */
export function reconcile(stored: Order | null, snapshot: SourceOrder): Reconciliation {
  if (!stored) return { kind: 'changed', order: createOrder(snapshot), action: 'IMPORT', changes: null };
  if (snapshot.sourceRevision <= stored.sourceRevision || stored.statusId === STATUS.CANCELLED)
    return { kind: 'ignored' };

  const isAgreed = stored.agreedAt !== null;
  const dropsReplies = statusOf(stored.statusId).followsSource;
  const header: HeaderChange[] = [];
  const negotiated = byNegotiatedField<NegotiatedHeader>((field) => {
    const taken = applySourceValue<string | null>(stored[field], snapshot[field], isAgreed, dropsReplies);
    if (taken.changed) header.push(...headerChanges(field, stored[field], taken.value));
    return taken.value;
  });
  const reconciled = reconcileLines(stored, snapshot.lines);
  const { poDate, currency, sourceRevision } = snapshot;
  const order: Order = {
    ...stored,
    poDate,
    currency,
    sourceRevision,
    terms: termsOfSource(snapshot),
    ...negotiated,
    lines: reconciled.lines,
  };
  if (header.length > 0 || reconciled.changed) {
    const changes = changesOf([...header, ...unrecordedVendorValues(stored)], reconciled.changes);
    return { kind: 'changed', ...commercialChange(withVendorValuesRecorded(order)), changes };
  }
  if (reconciled.silent || isSilentlyChanged(stored, order))
    return { kind: 'changed', order, action: null, changes: null };
  return { kind: 'synced', order };
}

/** Applies the source's cancellation. `isRepeated`: the message equals the source's last one, apart from the revision. */
export function reconcileCancellation(
  stored: Order,
  { sourceRevision, isRepeated }: { sourceRevision: number; isRepeated: boolean },
): Reconciliation {
  if (sourceRevision <= stored.sourceRevision || stored.statusId === STATUS.CANCELLED) return { kind: 'ignored' };
  const { isOpen } = statusOf(stored.statusId);
  if (isRepeated && !isOpen) return { kind: 'synced', order: { ...stored, sourceRevision } };
  const order = withVendorValuesRecorded({ ...stored, sourceRevision });
  const changes = changesOf(unrecordedVendorValues(stored), []);
  return isOpen
    ? { kind: 'changed', order: { ...order, statusId: STATUS.CANCELLED }, action: 'SOURCE_CANCEL', changes }
    : { kind: 'changed', order: { ...order, hasSourceConflict: true }, action: 'SOURCE_CONFLICT', changes };
}

function commercialChange(order: Order): { order: Order; action: SystemAction } {
  const { followsSource, acceptsReplies } = statusOf(order.statusId);
  if (!followsSource) return { order: { ...order, hasSourceConflict: true }, action: 'SOURCE_CONFLICT' };
  // A reply that the vendor already submitted was to a superseded order.
  return { order: acceptsReplies ? order : { ...order, statusId: STATUS.IN_REVISION }, action: 'SOURCE_UPDATE' };
}

function headerChanges(
  field: NegotiatedField,
  before: Negotiated<string | null>,
  after: Negotiated<string | null>,
): HeaderChange[] {
  const { current, reply } = NEGOTIATED[field];
  const dropped = before.reply !== null && after.reply === null;
  return [
    { field: current, from: before.source, to: after.source },
    ...(dropped ? [{ field: reply, from: before.reply, to: null }] : []),
  ];
}

function createOrder(snapshot: SourceOrder): Order {
  const nothing: VendorValue = { value: null, baseline: null, edited: false, recorded: null };
  const { poNumber, sourceRevision, poDate, currency } = snapshot;
  const order: Order = {
    poNumber,
    sourceRevision,
    poDate,
    currency,
    vendorCode: snapshot.vendor.code,
    statusId: STATUS.NEW,
    version: 0,
    sequence: 0,
    terms: termsOfSource(snapshot),
    ...byNegotiatedField<NegotiatedHeader>((field) => fromSource<string | null>(snapshot[field])),
    comment: nothing,
    container: nothing,
    tracking: nothing,
    agreedAt: null,
    hasSourceConflict: false,
    lines: [],
  };
  return { ...order, lines: reconcileLines(order, snapshot.lines).lines };
}

function termsOfSource(snapshot: SourceOrder): OrderTerms {
  const { season, brand, shipMode, tradeTerm, paymentTerm, destination, buyer, remarks } = snapshot;
  return {
    season,
    brand,
    shipMode,
    tradeTerm,
    paymentTerm,
    destination,
    remarks,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
  };
}

function isSilentlyChanged(before: Order, after: Order): boolean {
  const names = Object.keys(after.terms) as (keyof OrderTerms)[];
  return (
    before.poDate !== after.poDate ||
    before.currency !== after.currency ||
    names.some((name) => before.terms[name] !== after.terms[name])
  );
}
