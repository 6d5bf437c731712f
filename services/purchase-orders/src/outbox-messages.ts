import { type Agreement, EVENT_TYPES, TOPICS } from '@po/contracts';
import { cloudEventHeaders, writeOutbox } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import { columnsOf, selectList } from './columns.js';
import { HistoryEntryEntity } from './history-entry.entity.js';
import { activityOf, stateOf, transitionedOf } from './purchase-order.view.js';
import type { StoredOrder } from './stored-order.js';

const SOURCE = '/purchase-orders';
const RECENT_ACTIVITY = 20;
/** What a status change says of itself; the changes that came with it would make each record several times its size. */
const ACTIVITY_COLUMNS = selectList(
  HistoryEntryEntity,
  'h',
  columnsOf(HistoryEntryEntity)
    .map(({ property }) => property as keyof HistoryEntryEntity)
    .filter((property) => property !== 'changes' && property !== 'agreed'),
);

/** A history entry that is part of an act, and what it says beyond its row. */
export interface RecordedEntry {
  row: Omit<HistoryEntryEntity, 'agreed'>;
  agreed: Agreement | undefined;
}

/** Puts an order's state, and its new history entry if there is one, into the outbox: one row an act. */
export async function publishAct(
  manager: EntityManager,
  order: StoredOrder,
  entry: RecordedEntry | null,
  { now, traceparent }: { now: Date; traceparent: string },
): Promise<void> {
  const transitioned = entry && {
    topic: TOPICS.transitions,
    headers: cloudEventHeaders({
      id: entry.row.id,
      type: EVENT_TYPES.transitioned,
      source: SOURCE,
      subject: order.poNumber,
      time: entry.row.occurredAt.toISOString(),
    }),
    value: JSON.stringify(transitionedOf(order, entry.row, entry.agreed)),
  };
  const state = {
    topic: TOPICS.state,
    headers: cloudEventHeaders({
      // The same state sent again is the same event.
      id: `${order.poNumber}@${order.version}`,
      type: EVENT_TYPES.stateChanged,
      source: SOURCE,
      subject: order.poNumber,
      time: order.updatedAt,
    }),
    value: JSON.stringify(stateOf(order, await recentActivity(manager, order, entry?.row ?? null), now)),
  };
  await writeOutbox((sql, values) => manager.query(sql, values), {
    key: order.poNumber,
    version: order.version,
    messages: transitioned ? [transitioned, state] : [state],
    traceparent,
  });
}

// The entry of this act is added here: it may be on its way to the database together with this question.
async function recentActivity(manager: EntityManager, order: StoredOrder, row: RecordedEntry['row'] | null) {
  const earlier = await manager.query<Parameters<typeof activityOf>[0][]>(
    `SELECT ${ACTIVITY_COLUMNS} FROM history h
      WHERE h.order_id = $1 AND h.sequence <= $2 AND h.from_status_id <> h.to_status_id
      ORDER BY h.sequence DESC LIMIT ${RECENT_ACTIVITY}`,
    [order.id, row ? row.sequence - 1 : order.sequence],
  );
  const isStatusChange = row !== null && row.fromStatusId !== null && row.fromStatusId !== row.toStatusId;
  return [...(isStatusChange ? [row] : []), ...earlier]
    .slice(0, RECENT_ACTIVITY)
    .map((each) => activityOf(each, order.vendorName));
}
