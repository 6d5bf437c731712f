import type { Order } from '../domain/order.js';
import type { CellEntity } from '../store/cell.entity.js';
import { changedCells } from '../store/changed-cells.js';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { RECENT_ACTIVITY } from '../store/load-order.js';
import { type OrderRow, rowOf, searchTextOf } from '../store/order-rows.js';
import type { ActEntry, StoredOrder } from '../store/stored-order.js';
import { uuidV7 } from '../store/uuid-v7.js';

/** What an act does to an order. `version` and `sequence` of `after` are as before it (0 for a new order): the act raises them. */
export interface Change {
  after: Order;
  /** Null for a silent change. */
  entry: ActEntry | null;
  now: Date;
  /** The inventory system caused it: `lastSyncedAt` moves to `now`, and the vendor has the name that came with it. */
  synced?: { vendorName: string };
}

/** Only the inventory system creates orders. */
export type Creation = Required<Change>;

/** One business act, computed once for all that is stored, published and answered of it. */
export interface Act {
  order: StoredOrder;
  row: OrderRow;
  entry: HistoryEntryEntity | null;
  /** Rows of the cells that it changed. */
  cells: CellEntity[];
  /** What the search looks in; null when that stays. */
  searchText: string | null;
  now: Date;
}

/** The act that changes a stored order: its version rises by exactly one, and with an entry its sequence. */
export function actOn(before: StoredOrder, { after, entry, now, synced }: Change): Act {
  const at = now.toISOString();
  const times = { updatedAt: at, lastSyncedAt: synced ? at : before.lastSyncedAt };
  const vendorName = synced?.vendorName ?? before.vendorName;
  const order = { ...before, ...after, ...raised(before, entry), ...times, vendorName };
  return recorded(order, before, entry, now);
}

/** The act that creates an order under an id. */
export function creationOf(id: number, { after, entry, now, synced: { vendorName } }: Creation): Act {
  const at = now.toISOString();
  const times = { createdAt: at, updatedAt: at, lastSyncedAt: at };
  const order = { ...after, ...raised(after, entry), ...times, id, vendorName, recentActivity: [] };
  return recorded(order, null, entry, now);
}

/** What the inventory system sent last, where nothing that people see has changed: the version stays and nothing is published. */
export function syncOf(before: StoredOrder, after: Order, now: Date): Act {
  const { version, sequence } = before;
  return recorded({ ...before, ...after, version, sequence, lastSyncedAt: now.toISOString() }, before, null, now);
}

/** No act at all: the order as it is. */
export function unchanged(order: StoredOrder, now: Date): Act {
  return recorded(order, order, null, now);
}

const raised = ({ version, sequence }: Order, entry: ActEntry | null) => ({
  version: version + 1,
  sequence: sequence + (entry ? 1 : 0),
});

function recorded(after: StoredOrder, before: StoredOrder | null, entry: ActEntry | null, now: Date): Act {
  const entryRow = entry && entryRowOf(after, before, entry, now);
  const recentActivity = isStatusChange(entryRow)
    ? [entryRow, ...after.recentActivity].slice(0, RECENT_ACTIVITY)
    : after.recentActivity;
  const order = { ...after, recentActivity };
  return {
    order,
    row: rowOf(order),
    entry: entryRow,
    cells: changedCells(order, before?.cells ?? [], order.cells),
    searchText: order.cells === before?.cells ? null : searchTextOf(order),
    now,
  };
}

function isStatusChange(row: HistoryEntryEntity | null): row is HistoryEntryEntity {
  return row !== null && row.fromStatusId !== null && row.fromStatusId !== row.toStatusId;
}

function entryRowOf(
  order: StoredOrder,
  before: StoredOrder | null,
  { action, comment, actor, changes, agreed }: ActEntry,
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
