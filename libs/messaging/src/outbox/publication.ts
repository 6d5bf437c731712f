import { HEADERS } from '@po/contracts';
import { type Span, beginBelow, errorTypeOf } from '@po/platform';
import type { OutgoingRecord, ProducerPort } from '../kafka-port.js';
import type { OutboxMessage } from './outbox.js';
import type { OutboxRow } from './pending-rows.js';

interface Publication {
  record: OutgoingRecord;
  span: Span | undefined;
}

/** Sends what these rows publish, each record in a span of the trace that its row belongs to. Rejects as `producer.send` does. */
export async function publish(producer: ProducerPort, rows: readonly OutboxRow[]): Promise<void> {
  const publications = rows.flatMap((row) => row.messages.map((message) => publicationOf(row, message)));
  const end = (errorType?: string) => {
    for (const { span } of publications) span?.end(errorType);
  };
  try {
    await producer.send(publications.map(({ record }) => record));
    end();
  } catch (error) {
    end(errorTypeOf(error));
    throw error;
  }
}

function publicationOf({ key, traceparent: stored }: OutboxRow, message: OutboxMessage): Publication {
  const { topic, headers, value } = message;
  const span = beginBelow('publish', `send ${topic}`, { 'messaging.destination.name': topic }, stored);
  const traceparent = span?.traceparent ?? stored;
  return { record: { topic, key, value, headers: { ...headers, [HEADERS.traceparent]: traceparent } }, span };
}
