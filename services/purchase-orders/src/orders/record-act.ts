import { pipelined } from '@po/database';
import type { EntityManager } from 'typeorm';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { RECENT_ACTIVITY } from '../store/load-order.js';
import { columnsOfOrder, rowOf, searchTextOf } from '../store/order-rows.js';
import { OrderEntity } from '../store/order.entity.js';
import { publishAct } from './publish-act.js';
import { insertStatement } from '../store/row-statements.js';
import { saveCells } from '../store/save-cells.js';
import type { Act, ActEntry, RecordedAct, StoredOrder } from '../store/stored-order.js';
import { updateOrder } from '../store/update-order.js';
import { uuidV7 } from '../store/uuid-v7.js';

const INSERT_ORDER = insertStatement(OrderEntity, ['id']);
// A unique violation would count as bad content; losing the race to create an order is a reason to try again.
const TEXT_OF_INSERT = `${INSERT_ORDER.text} ON CONFLICT DO NOTHING RETURNING id`;
const INSERT_ENTRY = insertStatement(HistoryEntryEntity);

/**
 * Records one business act in the caller's transaction: the order with its version raised by exactly one, its cells, its history
 * entry (which raises the sequence) and one outbox row. `also` is sent together with these statements. Throws when somebody else was
 * faster; the transaction must then be tried anew.
 */
export async function recordAct(
  manager: EntityManager,
  { before, after, vendorName, entry, now, traceparent, synced }: Act,
  also?: (recorded: RecordedAct) => Promise<unknown>,
): Promise<RecordedAct> {
  const version = (before?.version ?? 0) + 1;
  const raised = { ...after, version, sequence: (before?.sequence ?? 0) + (entry ? 1 : 0) };
  const at = now.toISOString();
  const times = { updatedAt: at, lastSyncedAt: synced ? at : (before?.lastSyncedAt ?? at) };
  const { id, createdAt } = before ?? { id: await insertOrder(manager, raised, now), createdAt: at };
  const identified = { ...raised, ...times, id, createdAt, vendorName };
  const entryRow = entry && entryRowOf(identified, before, entry, now);
  const earlier = before?.recentActivity ?? [];
  const order: StoredOrder = {
    ...identified,
    recentActivity: isStatusChange(entryRow) ? [entryRow, ...earlier].slice(0, RECENT_ACTIVITY) : earlier,
  };
  const row = rowOf(order);
  const recorded = { historyId: entryRow?.id ?? null, version, order };
  await pipelined([
    before ? updateOrder(manager, before, order, row) : saveCells(manager, order, [], order.cells),
    ...(entryRow ? [manager.query(INSERT_ENTRY.text, INSERT_ENTRY.values(entryRow))] : []),
    publishAct(manager, { order, row, entry: entryRow, traceparent, now }),
    ...(also ? [also(recorded)] : []),
  ]);
  return recorded;
}

async function insertOrder(manager: EntityManager, after: Act['after'], now: Date): Promise<number> {
  const row = { ...columnsOfOrder(after), searchText: searchTextOf(after) };
  const times = { createdAt: now, updatedAt: now, lastSyncedAt: now };
  const [inserted] = await manager.query<{ id: number }[]>(TEXT_OF_INSERT, INSERT_ORDER.values({ ...row, ...times }));
  if (!inserted) throw new Error(`order ${after.poNumber} was created by somebody else meanwhile`);
  return inserted.id;
}

function isStatusChange(row: HistoryEntryEntity | null): row is HistoryEntryEntity {
  return row !== null && row.fromStatusId !== null && row.fromStatusId !== row.toStatusId;
}

function entryRowOf(
  order: Omit<StoredOrder, 'recentActivity'>,
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
