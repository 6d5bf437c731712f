import { type Agreement, EVENT_TYPES, TOPICS } from '@po/contracts';
import { cloudEventHeaders, writeOutbox } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import { selectList } from './columns.js';
import { HistoryEntryEntity } from './history-entry.entity.js';
import { activityOf, stateOf, transitionedOf } from './purchase-order.view.js';
import type { StoredOrder } from './stored-order.js';

const SOURCE = '/purchase-orders';
const RECENT_ACTIVITY = 20;

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
    value: JSON.stringify(stateOf(order, await recentActivity(manager, order), now)),
  };
  await writeOutbox((sql, values) => manager.query(sql, values), {
    key: order.poNumber,
    version: order.version,
    messages: transitioned ? [transitioned, state] : [state],
    traceparent,
  });
}

async function recentActivity(manager: EntityManager, order: StoredOrder) {
  const rows = await manager.query<HistoryEntryEntity[]>(
    `SELECT ${selectList(HistoryEntryEntity, 'h')} FROM history h
      WHERE h.order_id = $1 AND h.from_status_id <> h.to_status_id
      ORDER BY h.sequence DESC LIMIT ${RECENT_ACTIVITY}`,
    [order.id],
  );
  return rows.map((row) => activityOf(row, order.vendorName));
}
