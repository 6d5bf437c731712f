import type { Order } from '../domain/order.js';
import type { CellEntity } from '../store/cell.entity.js';
import { changedCells } from '../store/changed-cells.js';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { RECENT_ACTIVITY } from '../store/load-order.js';
import { type OrderRow, rowOf } from '../store/order-rows.js';
import { type SearchTexts, changedSearchTexts, searchTextsOf } from '../store/search-texts.js';
import type { ChangeEntry, ActivityRow, StoredOrder } from '../store/stored-order.js';
import { uuidV7 } from '../store/uuid-v7.js';

/** What a change does to an order. `version` and `sequence` of `after` are as before it (0 for a new order): the change raises them. */
export interface ChangeDetails {
  after: Order;
  /** Null for a silent change. */
  entry: ChangeEntry | null;
  now: Date;
  /** The inventory system caused it: `lastSyncedAt` moves to `now`. */
  synced?: Synced;
}

export interface Synced {
  /** The name that came with it. */
  vendorName: string;
  /** Of the message; null for one that is no whole order. */
  digest: string | null;
}

/** Only the inventory system creates orders. */
export type Creation = Required<ChangeDetails>;

/** One change, computed once for all that is stored, published and answered of it. */
export interface OrderChange {
  order: StoredOrder;
  row: OrderRow;
  entry: HistoryEntryEntity | null;
  /** Rows of the cells that it changed. */
  cells: CellEntity[];
  /** What the search finds it by; null when that stays. */
  search: SearchTexts | null;
  /** Of the inventory system's last message, where it caused the change. */
  sourceDigest: string | null;
  now: Date;
}

/** The change of a stored order: its version rises by exactly one, and with an entry its sequence. */
export function updateOf(before: StoredOrder, { after, entry, now, synced }: ChangeDetails): OrderChange {
  const at = now.toISOString();
  const times = { updatedAt: at, lastSyncedAt: synced ? at : before.lastSyncedAt };
  const vendorName = synced?.vendorName ?? before.vendorName;
  const order = { ...before, ...after, ...raised(before, entry), ...times, vendorName };
  return recorded(order, before, entry, now, synced ?? null);
}

/** The change that creates an order under an id. */
export function creationOf(id: number, { after, entry, now, synced }: Creation): OrderChange {
  const at = now.toISOString();
  const times = { createdAt: at, updatedAt: at, lastSyncedAt: at };
  const order = { ...after, ...raised(after, entry), ...times, id, vendorName: synced.vendorName, recentActivity: [] };
  return recorded(order, null, entry, now, synced);
}

/** What the inventory system sent last, where nothing that people see has changed: the version stays and nothing is published. */
export function syncOf(before: StoredOrder, after: Order, synced: Synced, now: Date): OrderChange {
  const { version, sequence } = before;
  const times = { updatedAt: before.updatedAt, lastSyncedAt: now.toISOString() };
  const order = { ...before, ...after, version, sequence, ...times, vendorName: synced.vendorName };
  return recorded(order, before, null, now, synced);
}

/** No change at all: the order as it is. */
export function unchanged(order: StoredOrder, now: Date): OrderChange {
  return recorded(order, order, null, now, null);
}

const raised = ({ version, sequence }: Order, entry: ChangeEntry | null) => ({
  version: version + 1,
  sequence: sequence + (entry ? 1 : 0),
});

function recorded(
  after: StoredOrder,
  before: StoredOrder | null,
  entry: ChangeEntry | null,
  now: Date,
  synced: Synced | null,
): OrderChange {
  const entryRow = entry && entryRowOf(after, before, entry, now);
  const recentActivity = isStatusChange(entryRow)
    ? [activityRowOf(entryRow), ...after.recentActivity].slice(0, RECENT_ACTIVITY)
    : after.recentActivity;
  const order = { ...after, recentActivity };
  return {
    order,
    row: rowOf(order),
    entry: entryRow,
    cells: changedCells(order, before?.cells ?? [], order.cells),
    // Only the inventory system adds and removes rows.
    search: synced && changedSearch(before, order),
    sourceDigest: synced && synced.digest,
    now,
  };
}

function changedSearch(before: StoredOrder | null, after: StoredOrder): SearchTexts | null {
  if (!before) return searchTextsOf(after);
  return after.cells === before.cells ? null : changedSearchTexts(before, after);
}

function isStatusChange(row: HistoryEntryEntity | null): row is HistoryEntryEntity {
  return row !== null && row.fromStatusId !== null && row.fromStatusId !== row.toStatusId;
}

// Kept in memory with the order: changes of thousands of cells would be kept with it.
const activityRowOf = ({ changes: _changes, agreed: _agreed, ...row }: HistoryEntryEntity): ActivityRow => row;

function entryRowOf(
  order: StoredOrder,
  before: StoredOrder | null,
  { action, comment, actor, changes, agreed }: ChangeEntry,
  now: Date,
): HistoryEntryEntity {
  return {
    id: uuidV7(now),
    orderId: order.id,
    poNumber: order.poNumber,
    vendorCode: order.vendorCode,
    sequence: order.sequence,
    poVersion: order.version,
    action,
    fromStatusId: before?.statusId ?? null,
    toStatusId: order.statusId,
    comment,
    actorId: actor?.sub ?? null,
    actorName: actor?.name ?? null,
    actorRole: actor?.role ?? 'SYSTEM',
    occurredAt: now,
    changes,
    agreed: agreed ?? null,
  };
}
