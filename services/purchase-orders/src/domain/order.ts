import type { InventoryLine, NegotiatedField, PurchaseOrderUpserted, StatusId } from '@po/contracts';

/**
 * The purchase order of the domain rules: no table ids, no SQL, no clock. Every rule takes an Order and returns a new one; the store
 * compares the two and writes the differences.
 */

/** Ten-thousandths of the order's currency; exact, like `numeric(14,4)`. */
export type Money = bigint;

/**
 * A commercial value. `original`: the inventory system's value that users see. `source`: the value that it sent last (an echo changes
 * only this). `reply`: the vendor's proposal, null if none. `agreed`: the value at the last APPROVE; valid once `Order.agreedAt` is set
 * (for a line: once `qty.agreed` is not null).
 */
export interface Negotiated<T> {
  original: T;
  source: T;
  reply: T | null;
  agreed: T | null;
  /** The source changed the value since the last APPROVE: `agreed` is no longer the baseline, and repeating it is not an echo. */
  sourceChanged: boolean;
  /** The vendor edited the value in status 100 or 150, and the edit is not approved yet. */
  edited: boolean;
}

/** A value that only the vendor sets: comment, container or tracking number. */
export interface VendorValue {
  value: string | null;
  /** `hasPendingChanges` compares the value with it. Set by APPROVE, and by an edit from status 300 on. */
  baseline: string | null;
  edited: boolean;
  /** The value at the last history entry, so that the next entry can list what was set since. */
  recorded: string | null;
}

/** One line: code x style x color x size. */
export interface Line {
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
  /** No longer part of the order. Kept because the line may return, and because the agreed snapshot may contain it. */
  removed: boolean;
  /** The source omitted a line agreed at 0, which only echoes the agreement: the line stays, and its return can be an echo, too. */
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
  /** Each change raises it by exactly one. */
  version: number;
  /** Number of history entries. */
  sequence: number;
  sourceRevision: number;
  poDate: string;
  currency: string;
  terms: OrderTerms;
  comment: VendorValue;
  container: VendorValue;
  tracking: VendorValue;
  /** RFC 3339; null before the first APPROVE. */
  agreedAt: string | null;
  hasSourceConflict: boolean;
  /** In source order, including removed lines. */
  lines: readonly Line[];
}

/** A line from the inventory system, with its identifying hash. */
export interface SourceLine extends InventoryLine {
  rowHash: string;
}

/** The complete order as the inventory system sends it. */
export interface SourceOrder extends Omit<PurchaseOrderUpserted, 'lines'> {
  lines: readonly SourceLine[];
}
