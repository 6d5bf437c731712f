import { EVENT_TYPES, type PurchaseOrderTransitioned, TOPICS } from '@po/contracts';
import { type OutboxEntry, type OutboxMessage, cloudEventHeaders } from '@po/messaging';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import type { OrderChange } from './order-change.js';
import { serializeState, transitionedOf } from './purchase-order.view.js';

const SOURCE = '/purchase-orders';

type AdditionalFields = Pick<PurchaseOrderTransitioned, 'autoApproved' | 'submittedChanges'>;

/** Outbox entry of a change: its history entry, if any, with the additional fields, and the order's state. */
export function outboxEntryOf(
  change: OrderChange,
  traceparent: string,
  additional: AdditionalFields = {},
): OutboxEntry {
  const { order, entry } = change;
  const transition = entry ? [transitionOf(change, entry, additional)] : [];
  return {
    key: order.poNumber,
    version: order.version,
    messages: [...transition, stateMessageOf(change)],
    traceparent,
  };
}

function transitionOf(
  { order, row }: OrderChange,
  entry: HistoryEntryEntity,
  additional: AdditionalFields,
): OutboxMessage {
  return {
    topic: TOPICS.transitions,
    headers: cloudEventHeaders({
      id: entry.id,
      type: EVENT_TYPES.transitioned,
      source: SOURCE,
      subject: order.poNumber,
      time: entry.occurredAt.toISOString(),
    }),
    value: JSON.stringify({ ...transitionedOf(order, row, entry), ...additional }),
  };
}

function stateMessageOf({ order, row, now }: OrderChange): OutboxMessage {
  return {
    topic: TOPICS.state,
    headers: cloudEventHeaders({
      // A state that is published again is the same event.
      id: `${order.poNumber}@${order.version}`,
      type: EVENT_TYPES.stateChanged,
      source: SOURCE,
      subject: order.poNumber,
      time: order.updatedAt,
    }),
    value: serializeState(order, row, now),
  };
}
