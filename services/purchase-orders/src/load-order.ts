import type { EntityManager } from 'typeorm';
import { CellEntity } from './cell.entity.js';
import { selectList } from './columns.js';
import { OrderEntity } from './order.entity.js';
import { type OrderRow, orderOf } from './order-rows.js';
import type { StoredOrder } from './stored-order.js';

/** An order's row with its vendor's name, as `OrderRow`; a WHERE clause follows. */
export const SELECT_ORDER = `SELECT ${selectList(OrderEntity, 'o')}, v.name AS "vendorName"
  FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`;

/** All cells of the order $1 in source order, removed ones included, as `CellEntity`. */
export const SELECT_CELLS = `SELECT ${selectList(CellEntity, 'c')}
  FROM cells c WHERE c.order_id = $1 ORDER BY c.position, c.row_hash`;

/**
 * The order of this PO number, or null: unknown, or not in the scope of the transaction. With `lock` its row is locked until the
 * transaction ends, so that whoever else wants to change it waits and then sees what was done.
 */
export async function loadOrder(manager: EntityManager, poNumber: string, lock: boolean): Promise<StoredOrder | null> {
  const [row] = await manager.query<OrderRow[]>(
    `${SELECT_ORDER} WHERE o.po_number = $1 ${lock ? 'FOR UPDATE OF o' : ''}`,
    [poNumber],
  );
  if (!row) return null;
  // A statement of its own: one that waited for the lock would still see the cells as they were before it waited.
  return orderOf(row, await manager.query<CellEntity[]>(SELECT_CELLS, [row.id]));
}
