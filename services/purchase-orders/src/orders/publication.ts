import { EVENT_TYPES, TOPICS } from '@po/contracts';
import { type OutboxEntry, type OutboxMessage, cloudEventHeaders } from '@po/messaging';
import type { OrderChange } from './order-change.js';
import { transitionedOf, serializeState } from './purchase-order.view.js';

const SOURCE = '/purchase-orders';

/** What a change publishes: its new history entry, if there is one, and the order's state. */
function publicationOf(change: OrderChange): OutboxMessage[] {
  return change.entry ? [transitionOf(change, change.entry), stateMessageOf(change)] : [stateMessageOf(change)];
}

/** The same as one entry of the outbox. */
export function outboxEntryOf(change: OrderChange, traceparent: string): OutboxEntry {
  return { key: change.order.poNumber, version: change.order.version, messages: publicationOf(change), traceparent };
}

function transitionOf({ order, row }: OrderChange, entry: NonNullable<OrderChange['entry']>): OutboxMessage {
  return {
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
