import type { EntityManager } from 'typeorm';
import { columnsOfOrder, searchTextOf } from './order-rows.js';
import { OrderEntity } from './order.entity.js';
import { saveCells } from './save-cells.js';
import type { StoredOrder } from './stored-order.js';

/** Writes an order over the version it was derived from, and its changed cells; throws if that is no longer the stored one. */
export async function updateOrder(manager: EntityManager, before: StoredOrder, order: StoredOrder): Promise<void> {
  const searchText = searchTextOf(order);
  // Not save(): that would write over a newer version in silence.
  const { affected } = await manager.update(
    OrderEntity,
    { id: before.id, version: before.version },
    {
      ...columnsOfOrder(order),
      ...(searchText === searchTextOf(before) ? {} : { searchText }),
      updatedAt: new Date(order.updatedAt),
      lastSyncedAt: new Date(order.lastSyncedAt),
    },
  );
  if (affected !== 1) throw new Error(`order ${before.poNumber} is no longer at version ${before.version}`);
  await saveCells(manager, order, before.cells, order.cells);
}
