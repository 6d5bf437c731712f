import type { Actor, Agreement, AnyAction, Changes } from '@po/contracts';
import type { HistoryEntryEntity } from './history-entry.entity.js';
import type { Order } from '../domain/order.js';

/** What a status change says of itself. Its changes would make every record that repeats it several times its size. */
export type ActivityRow = Omit<HistoryEntryEntity, 'changes' | 'agreed'>;

/** An order as it lies in the database: what the rules see, and what only the store knows. */
export interface StoredOrder extends Order {
  id: number;
  /** The last name received for the vendor's code. */
  vendorName: string;
  /** RFC 3339 instants in UTC with milliseconds. */
  createdAt: string;
  updatedAt: string;
  lastSyncedAt: string;
  /** Its last status changes, newest first. */
  recentActivity: readonly ActivityRow[];
}

/** The history entry that an act writes. `actor` is null for what the inventory system caused (role SYSTEM). */
export interface ActEntry {
  action: AnyAction;
  comment: string | null;
  actor: Actor | null;
  changes: Changes | null;
  /** On APPROVE: what both sides agreed on, published for write-back. */
  agreed?: Agreement;
}

/** One business act: the order as it was (null = created), as it shall be, and its history entry (null = a silent change). */
export interface Act {
  before: StoredOrder | null;
  /** `version` and `sequence` as in `before` (0 for a new order): recording the act raises them. */
  after: Order;
  /** The vendor's name as it is now. */
  vendorName: string;
  entry: ActEntry | null;
  now: Date;
  traceparent: string;
  /** The inventory system caused it: `lastSyncedAt` moves to `now`. */
  synced: boolean;
}

export interface RecordedAct {
  /** UUIDv7; null where there was no entry. */
  historyId: string | null;
  version: number;
  order: StoredOrder;
}
