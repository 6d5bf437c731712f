import type { EntityManager } from 'typeorm';
import { CellEntity } from './cell.entity.js';
import { selectList } from './columns.js';
import { OrderEntity } from './order.entity.js';
import { type OrderRow, orderOf } from './order-rows.js';
import type { StoredOrder } from './stored-order.js';

/** An order's row with its vendor's name, as `OrderRow`; a WHERE clause follows. */
export const SELECT_ORDER = `SELECT ${selectList(OrderEntity, 'o')}, v.name AS "vendorName"
  FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`;

const selectCells = (orderId: string) => `SELECT ${selectList(CellEntity, 'c')}
  FROM cells c WHERE c.order_id = ${orderId} ORDER BY c.position, c.row_hash`;

/** All cells of the order $1 in source order, removed ones included, as `CellEntity`. */
export const SELECT_CELLS = selectCells('$1');

/** The same for the order with number $1. */
const SELECT_CELLS_BY_NUMBER = selectCells('(SELECT id FROM purchase_orders WHERE po_number = $1)');

/**
 * The order of this PO number, or null: unknown, or not in the scope of the transaction. With `lock` its row is locked until the
 * transaction ends, so that whoever else wants to change it waits and then sees what was done.
 */
export async function loadOrder(manager: EntityManager, poNumber: string, lock: boolean): Promise<StoredOrder | null> {
  const [[row], cells] = await Promise.all([
    manager.query<OrderRow[]>(`${SELECT_ORDER} WHERE o.po_number = $1 ${lock ? 'FOR UPDATE OF o' : ''}`, [poNumber]),
    // A statement of its own: one that waited for the lock would still see the cells as they were before it waited.
    manager.query<CellEntity[]>(SELECT_CELLS_BY_NUMBER, [poNumber]),
  ]);
  return row ? orderOf(row, cells) : null;
}
