import { type Send, type Statement, columnsOf, selectList } from '@po/database';
import { LRUCache } from 'lru-cache';
import { CellEntity } from './cell.entity.js';
import { HistoryEntryEntity } from './history-entry.entity.js';
import { OrderEntity } from './order.entity.js';
import { type OrderRow, cellOf, orderOf, stampOf } from './order-rows.js';
import type { ActivityRow, Stamp, StoredOrder } from './stored-order.js';
import type { Cell } from '../domain/order.js';

/** How many of an order's status changes its published state repeats. */
export const RECENT_ACTIVITY = 20;

/** An order's row with its vendor's name, as `ReadOrder`; a WHERE clause follows. */
export const SELECT_ORDER = `SELECT ${selectList(OrderEntity, 'o')}, v.name AS "vendorName", v.renamed_at AS "vendorRenamedAt"
  FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`;

const CELLS = `SELECT ${selectList(CellEntity, 'c')} FROM cells c WHERE c.order_id`;
const selectCells = (orderId: string) => `${CELLS} = ${orderId} ORDER BY c.position, c.row_hash`;

/** All cells of the order $1 in source order, removed ones included, as `CellEntity`. */
const SELECT_CELLS: Statement = { name: 'cells', text: selectCells('$1') };

// Nothing while the order's row has the stamp of what is known already.
const CHANGED_ID = `(SELECT id FROM purchase_orders WHERE po_number = $1 AND ROW(version, source_revision, updated_at, last_synced_at)
  IS DISTINCT FROM ROW($2::integer, $3::bigint, $4::timestamptz, $5::timestamptz))`;
// A command whose idempotency key is another's must be told so at once, not when that one lets go of the order.
const LOCK_ORDER = `${SELECT_ORDER}
  WHERE o.po_number = $1 AND current_setting('app.key_claimed', true) IS DISTINCT FROM 'false' FOR UPDATE OF o`;
const SELECT_CHANGED_CELLS = selectCells(CHANGED_ID);
const ACTIVITY_COLUMNS = selectList(
  HistoryEntryEntity,
  'h',
  columnsOf(HistoryEntryEntity)
    .filter(({ property, selected }) => selected && property !== 'changes')
    .map(({ property }) => property as keyof HistoryEntryEntity),
);

const selectActivity = (orderId: string) => `SELECT ${ACTIVITY_COLUMNS} FROM history h
  WHERE h.order_id = ${orderId} AND h.from_status_id <> h.to_status_id ORDER BY h.sequence DESC LIMIT ${RECENT_ACTIVITY}`;

/** The latest status changes of the order $1, latest first, as `ActivityRow`; none while its stamp is that of $2 to $5. */
export const SELECT_CHANGED_ACTIVITY = selectActivity(CHANGED_ID);

// In one order everywhere: who locks several waits for others, but never in a circle.
const LOCK_ORDERS: Statement = {
  name: 'lock-orders',
  text: `${SELECT_ORDER} WHERE o.id = ANY ($1::integer[]) ORDER BY o.id FOR UPDATE OF o`,
};
/** All cells of the orders $1, by order and in source order, removed ones included, as `CellEntity`. */
export const SELECT_CELLS_OF_ORDERS: Statement = {
  name: 'cells-of-orders',
  text: `${CELLS} = ANY ($1::integer[]) ORDER BY c.order_id, c.position, c.row_hash`,
};
const SELECT_ACTIVITY: Statement = { name: 'activity', text: selectActivity('$1') };
const SELECT_ACTIVITY_OF_ORDERS: Statement = {
  name: 'activity-of-orders',
  text: `SELECT a.* FROM unnest($1::integer[]) AS o(id), LATERAL (${selectActivity('o.id')}) AS a`,
};

const UNKNOWN: { [Part in keyof Stamp]: null } = {
  version: null,
  sourceRevision: null,
  updatedAt: null,
  lastSyncedAt: null,
};

/**
 * The order of this PO number, or null: unknown, or not in the scope of the transaction. Its row is locked until the transaction
 * ends, so that whoever else wants to change it waits and then sees what was done. Of `recent` is read only what has changed since.
 */
export async function loadOrder(send: Send, poNumber: string, recent?: RecentParts): Promise<StoredOrder | null> {
  const { version, sourceRevision, updatedAt, lastSyncedAt } = recent?.stamp ?? UNKNOWN;
  const changed = [poNumber, version, sourceRevision, updatedAt, lastSyncedAt];
  const [[row], cells, activity] = await Promise.all([
    send<OrderRow>(LOCK_ORDER, [poNumber]),
    // Statements of their own: one that waited for the lock would still see what was there before it waited.
    send<CellEntity>(SELECT_CHANGED_CELLS, changed),
    send<ActivityRow>(SELECT_CHANGED_ACTIVITY, changed),
  ]);
  if (!row) return null;
  return recentOrder(row, recent) ?? orderOf(row, cells.map(cellOf), activity);
}

/**
 * The same for a caller who may see the orders of this vendor, or all for null. Row-level security hides others already; a scope that was
 * forgotten there must not show one.
 */
export async function loadVisibleOrder(
  send: Send,
  vendorCode: string | null,
  poNumber: string,
  recent?: RecentParts,
): Promise<StoredOrder | null> {
  const order = await loadOrder(send, poNumber, recent);
  return vendorCode === null || order?.vendorCode === vendorCode ? order : null;
}

/** The order of a row that was just read on the same snapshot; of `recent` is read only what has changed since. */
export async function wholeOrder(read: Send, row: OrderRow, recent: RecentParts | undefined): Promise<StoredOrder> {
  const known = recentOrder(row, recent);
  if (known) return known;
  const [cells, activity] = await Promise.all([
    read<CellEntity>(SELECT_CELLS, [row.id]),
    read<ActivityRow>(SELECT_ACTIVITY, [row.id]),
  ]);
  return orderOf(row, cells.map(cellOf), activity);
}

/** The order of what was kept of it, if that is what is stored. */
function recentOrder(row: OrderRow, recent: RecentParts | undefined): StoredOrder | null {
  if (!recent || !areCurrent(recent, stampOf(row))) return null;
  return orderOf(row, recent.cells, recent.recentActivity);
}

/** The orders of these ids, by id, locked as by `loadOrder`; one that is unknown is left out. */
export async function loadOrders(send: Send, ids: readonly number[]): Promise<Map<number, StoredOrder>> {
  if (ids.length === 0) return new Map();
  const [rows, cells, activity] = await Promise.all([
    send<OrderRow>(LOCK_ORDERS, [ids]),
    send<CellEntity>(SELECT_CELLS_OF_ORDERS, [ids]),
    send<ActivityRow>(SELECT_ACTIVITY_OF_ORDERS, [ids]),
  ]);
  const cellsOf = Map.groupBy(cells, ({ orderId }) => orderId);
  const activityOf = Map.groupBy(activity, ({ orderId }) => orderId);
  return new Map(
    rows.map((row) => [row.id, orderOf(row, (cellsOf.get(row.id) ?? []).map(cellOf), activityOf.get(row.id) ?? [])]),
  );
}

/** The parts of an order that need not be read again while its row has this stamp. */
export interface RecentParts {
  stamp: Stamp;
  /** In source order; removed ones included. */
  cells: readonly Cell[];
  recentActivity: readonly ActivityRow[];
}

/** Cells and status changes of all cached orders together; each takes about 1.5 KB. */
const MAX_ROWS = 20_000;

/**
 * Cache of the orders that this process read or wrote last, by PO number: who edits an order of thousands of rows requests it again and
 * again. The database decides: each use compares the stamp with the order's row, read in its own transaction.
 */
export const recentOrders = (): LRUCache<string, RecentParts> =>
  new LRUCache({
    maxSize: MAX_ROWS,
    // An order of one cell may have many status changes, and a size must be positive.
    sizeCalculation: ({ cells, recentActivity }) => cells.length + recentActivity.length + 1,
  });

/** The parts that are kept of an order that is stored as it is. */
export function partsOf({
  version,
  sourceRevision,
  updatedAt,
  lastSyncedAt,
  cells,
  recentActivity,
}: StoredOrder): RecentParts {
  return { stamp: { version, sourceRevision, updatedAt, lastSyncedAt }, cells, recentActivity };
}

/** True when the parts are those of a row with this stamp. */
export function areCurrent({ stamp }: RecentParts, row: Stamp): boolean {
  return (
    stamp.version === row.version &&
    stamp.sourceRevision === row.sourceRevision &&
    stamp.updatedAt === row.updatedAt &&
    stamp.lastSyncedAt === row.lastSyncedAt
  );
}
