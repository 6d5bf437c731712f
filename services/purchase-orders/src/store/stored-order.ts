import type { Actor, Agreement, AnyAction, Changes, StatusChange } from '@po/contracts';
import type { Order } from '../domain/order.js';
import type { Submission } from '../domain/tolerances.js';
import type { OrderReminders } from '../domain/reminders/reminders.js';

/** An order as it lies in the database: what the rules see, and what only the store knows. */
export interface StoredOrder extends Order {
  id: number;
  /** The last name received for the vendor's code. */
  vendorName: string;
  /** RFC 3339 instants in UTC with milliseconds. */
  createdAt: string;
  updatedAt: string;
  lastSyncedAt: string;
  reminders: OrderReminders;
  /** Its last status changes, newest first. */
  recentActivity: readonly StatusChange[];
}

/** Moved by every transaction that changes an order's cells: while it stays, what was read of these is what is stored. */
export type Stamp = Pick<StoredOrder, 'version' | 'sourceRevision' | 'updatedAt' | 'lastSyncedAt'>;

/** The history entry that a change writes. `actor` is null for what the inventory system or an approval policy did (role SYSTEM). */
export interface ChangeEntry {
  action: AnyAction;
  comment: string | null;
  actor: Actor | null;
  changes: Changes | null;
  /** On APPROVE: what both sides agreed on, published for write-back. */
  agreed?: Agreement | undefined;
  /** On SUBMIT. */
  submission?: Submission | undefined;
}
