import type { Actor, Agreement, AnyAction, Changes, StatusChange } from '@po/contracts';
import type { Order } from '../domain/order.js';
import type { Deviation } from '../domain/tolerances.js';
import type { OrderReminders } from '../domain/reminders/reminders.js';

/** An order as it is stored: the order of the domain rules, and fields that only the store knows. */
export interface StoredOrder extends Order {
  id: number;
  /** The last name received for the vendor's code. */
  vendorName: string;
  /** RFC 3339 instants in UTC with milliseconds. */
  createdAt: string;
  updatedAt: string;
  lastSyncedAt: string;
  reminders: OrderReminders;
  /** The last status changes, newest first. */
  recentActivity: readonly StatusChange[];
}

/** Every transaction that changes an order's lines changes its stamp, so lines with an equal stamp are current. */
export type Stamp = Pick<StoredOrder, 'version' | 'sourceRevision' | 'updatedAt' | 'lastSyncedAt'>;

/** The history entry of a change. `actor` is null for the inventory system and approval policies (role SYSTEM). */
export interface ChangeEntry {
  action: AnyAction;
  comment: string | null;
  actor: Actor | null;
  changes: Changes | null;
  /** On APPROVE: the agreed values, published for write-back. */
  agreed?: Agreement | undefined;
  /** On SUBMIT. */
  deviation?: Deviation | undefined;
}
