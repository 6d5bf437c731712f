import type { EntityManager } from 'typeorm';
import { HistoryEntryEntity } from './history-entry.entity.js';
import { columnsOfOrder, searchTextOf } from './order-rows.js';
import { OrderEntity } from './order.entity.js';
import { publishAct } from './outbox-messages.js';
import { saveCells } from './save-cells.js';
import type { Act, ActEntry, RecordedAct, StoredOrder } from './stored-order.js';
import { updateOrder } from './update-order.js';
import { uuidV7 } from './uuid-v7.js';

/**
 * Stores one business act in the caller's transaction: the order with its version raised by exactly one, its cells, its history
 * entry (which raises the sequence) and one outbox row. Throws when somebody else was faster; the transaction must then be
 * tried anew.
 */
export async function recordAct(
  manager: EntityManager,
  { before, after, entry, now, traceparent, synced }: Act,
): Promise<RecordedAct> {
  const raised = {
    ...after,
    version: (before?.version ?? 0) + 1,
    sequence: (before?.sequence ?? 0) + (entry ? 1 : 0),
  };
  const at = now.toISOString();
  const times = { updatedAt: at, lastSyncedAt: synced ? at : (before?.lastSyncedAt ?? at) };
  const order: StoredOrder = before
    ? { ...raised, ...times, id: before.id, vendorName: before.vendorName, createdAt: before.createdAt }
    : { ...raised, ...times, ...(await insertOrder(manager, raised, now)), createdAt: at };
  const row = entry && entryRow(order, before, entry, now);
  // First and alone: a lost race must be told as one, not as a duplicate history entry.
  if (before) await updateOrder(manager, before, order);
  else await saveCells(manager, order, [], order.cells);
  await Promise.all([
    row && manager.insert(HistoryEntryEntity, row),
    publishAct(manager, order, row && { row, agreed: entry?.agreed }, { now, traceparent }),
  ]);
  return { historyId: row?.id ?? null, version: order.version, order };
}

async function insertOrder(
  manager: EntityManager,
  after: Act['after'],
  now: Date,
): Promise<{ id: number; vendorName: string }> {
  const [vendor] = await manager.query<{ name: string }[]>('SELECT name FROM vendors WHERE code = $1', [
    after.vendorCode,
  ]);
  if (!vendor) throw new Error('the vendor of a new order must be saved before it');
  const { identifiers } = await manager
    .createQueryBuilder()
    .insert()
    .into(OrderEntity)
    .values({
      ...columnsOfOrder(after),
      searchText: searchTextOf(after),
      createdAt: now,
      updatedAt: now,
      lastSyncedAt: now,
    })
    // A unique violation would count as bad content; losing the race to create an order is a reason to try again.
    .orIgnore()
    .execute();
  const id = (identifiers[0] as { id?: number } | undefined)?.id;
  if (id === undefined) throw new Error(`order ${after.poNumber} was created by somebody else meanwhile`);
  return { id, vendorName: vendor.name };
}

function entryRow(
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
