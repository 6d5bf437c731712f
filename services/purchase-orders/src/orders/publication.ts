import { EVENT_TYPES, TOPICS } from '@po/contracts';
import { type OutboxEntry, type OutboxMessage, cloudEventHeaders } from '@po/messaging';
import type { Act } from './act.js';
import { transitionedOf, writtenState } from './purchase-order.view.js';

const SOURCE = '/purchase-orders';

/** What an act publishes: its new history entry, if there is one, and the order's state. */
function publicationOf(act: Act): OutboxMessage[] {
  return act.entry ? [transitionOf(act, act.entry), stateMessageOf(act)] : [stateMessageOf(act)];
}

/** The same as one entry of the outbox. */
export function outboxEntryOf(act: Act, traceparent: string): OutboxEntry {
  return { key: act.order.poNumber, version: act.order.version, messages: publicationOf(act), traceparent };
}

function transitionOf({ order, row }: Act, entry: NonNullable<Act['entry']>): OutboxMessage {
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

function stateMessageOf({ order, row, now }: Act): OutboxMessage {
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
    value: writtenState(order, row, now),
  };
}
