import type { InventoryLine, NegotiatedField, PurchaseOrderUpserted, StatusId } from '@po/contracts';

/**
 * The purchase order as the pure rules see it: no ids of tables, no SQL, no clock. Every rule takes an Order and returns a new
 * one; the store compares the two and writes what differs.
 */

/** Ten-thousandths of the order's currency: exact, as `numeric(14,4)` is. */
export type Money = bigint;

/**
 * A commercial value as the source and both sides know it. `original`: from the inventory system, what people see. `source`: what
 * it sent last (an echo moves only this). `reply`: the vendor's proposal, null = none. `agreed`: what both sides last approved;
 * meaningful once `Order.agreedAt` is set (for a cell: once its `agreedQty` is not null).
 */
export interface Negotiated<T> {
  original: T;
  source: T;
  reply: T | null;
  agreed: T | null;
  /** The source changed it since the last APPROVE, so `agreed` is no longer its baseline nor an echo. */
  sourceChanged: boolean;
  /** The vendor edited it in 100/150 and no APPROVE has settled that. */
  edited: boolean;
}

/** Something only the vendor says: a comment, a container, a tracking number. */
export interface Fact {
  value: string | null;
  /** What it is compared with for `hasPendingChanges`; moved by APPROVE, and by an entry made from 300 on. */
  baseline: string | null;
  edited: boolean;
  /** Its value when the last history entry was written, so that the next one can say what was set since. */
  recorded: string | null;
}

/** One size row of an item: code x style x color x size. */
export interface Cell {
  rowHash: string;
  /** 0, 1, 2 … in the source's order. */
  position: number;
  lineId: string;
  code: string;
  style: string;
  color: string;
  size: string;
  sku: string | null;
  qty: Negotiated<number>;
  price: Negotiated<Money>;
  /** Not part of the order any more; kept because the row may return and because the agreed snapshot may hold it. */
  removed: boolean;
  /** The source left out a row agreed at 0, which only repeats the agreement: it stays part of the order, and its return can be an echo too. */
  removalEchoed: boolean;
}

export interface OrderTerms {
  season: string | null;
  brand: string | null;
  shipMode: string | null;
  tradeTerm: string | null;
  paymentTerm: string | null;
  destination: string | null;
  buyerName: string | null;
  buyerEmail: string | null;
  remarks: string | null;
}

export type NegotiatedHeader = { [Field in NegotiatedField]: Negotiated<PurchaseOrderUpserted[Field]> };

export interface Order extends NegotiatedHeader {
  poNumber: string;
  vendorCode: string;
  statusId: StatusId;
  /** Raised by exactly one by each change. */
  version: number;
  /** History entries so far. */
  sequence: number;
  sourceRevision: number;
  poDate: string;
  currency: string;
  terms: OrderTerms;
  comment: Fact;
  container: Fact;
  tracking: Fact;
  /** RFC 3339; null before the first APPROVE. */
  agreedAt: string | null;
  hasSourceConflict: boolean;
  /** In source order; removed ones included. */
  cells: readonly Cell[];
}

/** One size row as the inventory system lists it, with the hash that identifies it. */
export interface SourceLine extends InventoryLine {
  rowHash: string;
}

/** The complete order as the inventory system sends it. */
export interface SourceOrder extends Omit<PurchaseOrderUpserted, 'lines'> {
  lines: readonly SourceLine[];
}
