import { type Send, columnsOf, selectList } from '@po/database';
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

const selectCells = (orderId: string) => `SELECT ${selectList(CellEntity, 'c')}
  FROM cells c WHERE c.order_id = ${orderId} ORDER BY c.position, c.row_hash`;

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

/** The latest status changes of the order $1, latest first, as `ActivityRow`. */
export const SELECT_ACTIVITY = `SELECT ${ACTIVITY_COLUMNS} FROM history h
  WHERE h.order_id = ${ID} AND h.from_status_id <> h.to_status_id ORDER BY h.sequence DESC LIMIT ${RECENT_ACTIVITY}`;

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
