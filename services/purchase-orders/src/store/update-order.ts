import { pipelined } from '@po/database';
import type { EntityManager } from 'typeorm';
import { type OrderRow, rowOf, searchTextOf } from './order-rows.js';
import { OrderEntity } from './order.entity.js';
import { updateStatement } from './row-statements.js';
import { saveCells } from './save-cells.js';
import type { StoredOrder } from './stored-order.js';

const UPDATE = updateStatement(OrderEntity, ['id', 'searchText', 'createdAt']);
const FURTHER = UPDATE.values({} as OrderEntity).length;
const TEXT = `${UPDATE.text}, search_text = coalesce($${FURTHER + 1}, search_text)
  WHERE id = $${FURTHER + 2} AND version = $${FURTHER + 3}`;

/** Writes an order over the version it was derived from, and its changed cells; throws if that is no longer the stored one. */
export async function updateOrder(
  manager: EntityManager,
  before: StoredOrder,
  order: StoredOrder,
  row: OrderRow = rowOf(order),
): Promise<void> {
  const searchText = order.cells === before.cells ? null : searchTextOf(order);
  // Not save(): that would write over a newer version in silence.
  const updated = manager.query<[unknown[], number]>(TEXT, [
    ...UPDATE.values(row),
    searchText,
    before.id,
    before.version,
  ]);
  await pipelined([
    updated.then(([, affected]) => {
      if (affected !== 1) throw new Error(`order ${before.poNumber} is no longer at version ${before.version}`);
    }),
    saveCells(manager, order, before.cells, order.cells),
  ]);
}
