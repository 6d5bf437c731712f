import { EVENT_TYPES, type PurchaseOrderTransitioned, TOPICS } from '@po/contracts';
import { type OutboxEntry, type OutboxMessage, cloudEventHeaders } from '@po/messaging';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import type { OrderChange } from './order-change.js';
import { serializeState, transitionedOf } from './purchase-order.view.js';

const SOURCE = '/purchase-orders';

type More = Pick<PurchaseOrderTransitioned, 'autoApproved' | 'submittedChanges'>;

/** What a change publishes: its new history entry, if there is one, with what else is said of it, and the order's state. */
export function outboxEntryOf(change: OrderChange, traceparent: string, more: More = {}): OutboxEntry {
  const { order, entry } = change;
  const transition = entry ? [transitionOf(change, entry, more)] : [];
  return {
    key: order.poNumber,
    version: order.version,
    messages: [...transition, stateMessageOf(change)],
    traceparent,
  };
}

function transitionOf({ order, row }: OrderChange, entry: HistoryEntryEntity, more: More): OutboxMessage {
  return {
    topic: TOPICS.transitions,
    headers: cloudEventHeaders({
      id: entry.id,
      type: EVENT_TYPES.transitioned,
      source: SOURCE,
      subject: order.poNumber,
      time: entry.occurredAt.toISOString(),
    }),
    value: JSON.stringify({ ...transitionedOf(order, row, entry), ...more }),
  };
}

function stateMessageOf({ order, row, now }: OrderChange): OutboxMessage {
  return {
    topic: TOPICS.state,
    headers: cloudEventHeaders({
      // The same state sent again is the same event.
      id: `${order.poNumber}@${order.version}`,
      type: EVENT_TYPES.stateChanged,
      source: SOURCE,
      subject: order.poNumber,
      time: order.updatedAt,
    }),
    value: serializeState(order, row, now),
  };
}
