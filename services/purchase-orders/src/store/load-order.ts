import { type Send, type Statement, columnsOf, selectList } from '@po/database';
import { CellEntity } from './cell.entity.js';
import { HistoryEntryEntity } from './history-entry.entity.js';
import { OrderEntity } from './order.entity.js';
import { type OrderRow, orderOf } from './order-rows.js';
import type { ActivityRow, StoredOrder } from './stored-order.js';

/** How many of an order's status changes its published state repeats. */
export const RECENT_ACTIVITY = 20;

/** An order's row with its vendor's name, as `OrderRow`; a WHERE clause follows. */
export const SELECT_ORDER = `SELECT ${selectList(OrderEntity, 'o')}, v.name AS "vendorName"
  FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`;

const CELLS = `SELECT ${selectList(CellEntity, 'c')} FROM cells c WHERE c.order_id`;
const selectCells = (orderId: string) => `${CELLS} = ${orderId} ORDER BY c.position, c.row_hash`;

/** All cells of the order $1 in source order, removed ones included, as `CellEntity`. */
export const SELECT_CELLS = selectCells('$1');

const ID = '(SELECT id FROM purchase_orders WHERE po_number = $1)';
// A command whose idempotency key is another's must be told so at once, not when that one lets go of the order.
const LOCK_ORDER = `${SELECT_ORDER}
  WHERE o.po_number = $1 AND current_setting('app.key_claimed', true) IS DISTINCT FROM 'false' FOR UPDATE OF o`;
const SELECT_CELLS_BY_NUMBER = selectCells(ID);
const ACTIVITY_COLUMNS = selectList(
  HistoryEntryEntity,
  'h',
  columnsOf(HistoryEntryEntity)
    .map(({ property }) => property as keyof HistoryEntryEntity)
    .filter((property) => property !== 'changes' && property !== 'agreed'),
);

const selectActivity = (orderId: string) => `SELECT ${ACTIVITY_COLUMNS} FROM history h
  WHERE h.order_id = ${orderId} AND h.from_status_id <> h.to_status_id ORDER BY h.sequence DESC LIMIT ${RECENT_ACTIVITY}`;

/** The latest status changes of the order $1, latest first, as `ActivityRow`. */
export const SELECT_ACTIVITY = selectActivity(ID);

// In one order everywhere: who locks several waits for others, but never in a circle.
const LOCK_ORDERS: Statement = {
  name: 'lock-orders',
  text: `${SELECT_ORDER} WHERE o.id = ANY ($1::integer[]) ORDER BY o.id FOR UPDATE OF o`,
};
const SELECT_CELLS_OF_ORDERS: Statement = {
  name: 'cells-of-orders',
  text: `${CELLS} = ANY ($1::integer[]) ORDER BY c.order_id, c.position, c.row_hash`,
};
const SELECT_ACTIVITY_OF_ORDERS: Statement = {
  name: 'activity-of-orders',
  text: `SELECT a.* FROM unnest($1::integer[]) AS o(id), LATERAL (${selectActivity('o.id')}) AS a`,
};

/**
 * The order of this PO number, or null: unknown, or not in the scope of the transaction. Its row is locked until the transaction
 * ends, so that whoever else wants to change it waits and then sees what was done.
 */
export async function loadOrder(send: Send, poNumber: string): Promise<StoredOrder | null> {
  const [[row], cells, recentActivity] = await Promise.all([
    send<OrderRow>(LOCK_ORDER, [poNumber]),
    // Statements of their own: one that waited for the lock would still see what was there before it waited.
    send<CellEntity>(SELECT_CELLS_BY_NUMBER, [poNumber]),
    send<ActivityRow>(SELECT_ACTIVITY, [poNumber]),
  ]);
  return row ? orderOf(row, cells, recentActivity) : null;
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
  return new Map(rows.map((row) => [row.id, orderOf(row, cellsOf.get(row.id) ?? [], activityOf.get(row.id) ?? [])]));
}
