import { EVENT_TYPES, TOPICS } from '@po/contracts';
import { cloudEventHeaders, writeOutbox } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import type { OrderRow } from '../store/order-rows.js';
import { stateOf, transitionedOf } from './purchase-order.view.js';
import type { StoredOrder } from '../store/stored-order.js';

const SOURCE = '/purchase-orders';

/** What an act leaves to be published. */
export interface Publication {
  order: StoredOrder;
  /** The order's columns. */
  row: OrderRow;
  /** Its new history entry; null if there is none. */
  entry: HistoryEntryEntity | null;
  now: Date;
  traceparent: string;
}

/** Puts an order's state, and its new history entry if there is one, into the outbox: one row an act. */
export function publishAct(
  manager: EntityManager,
  { order, row, entry, now, traceparent }: Publication,
): Promise<void> {
  const transitioned = entry && {
    topic: TOPICS.transitions,
    headers: cloudEventHeaders({
      id: entry.id,
      type: EVENT_TYPES.transitioned,
      source: SOURCE,
      subject: order.poNumber,
      time: entry.occurredAt.toISOString(),
    }),
    value: JSON.stringify(transitionedOf(order, row, entry)),
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
    value: JSON.stringify(stateOf(order, row, now)),
  };
  return writeOutbox((sql, values) => manager.query(sql, values), {
    key: order.poNumber,
    version: order.version,
    messages: transitioned ? [transitioned, state] : [state],
    traceparent,
  });
}
