import { HEADERS } from '@po/contracts';
import { type Span, beginBelow, errorTypeOf } from '@po/platform';
import type { OutgoingRecord, ProducerPort, SendOptions } from '../kafka-port.js';
import type { OutboxMessage } from './outbox.js';
import type { OutboxRow } from './pending-rows.js';

/** One record of a row on its way. */
export interface Publication {
  record: OutgoingRecord;
  /** Why it may not be stored; null when the brokers acknowledged it. */
  outcome: Promise<Error | null>;
}

/** Sends what each of these rows publishes, in one call, each record in a span of the trace that its row belongs to. */
export function publish(producer: ProducerPort, rows: readonly OutboxRow[], options: SendOptions): Publication[][] {
  const begun = rows.map((row) => row.messages.map((message) => recordOf(row, message)));
  const results = producer.sendEach(
    begun.flat().map(({ record }) => record),
    options,
  );
  let next = 0;
  return begun.map((records) =>
    records.map(({ record, span }) => {
      const outcome = (results[next++] as Promise<void>).then(
        () => null,
        (error: Error) => error,
      );
      void outcome.then((error) => span?.end(error ? errorTypeOf(error) : undefined));
      return { record, outcome };
    }),
  );
}

function recordOf(row: OutboxRow, message: OutboxMessage): { record: OutgoingRecord; span: Span | undefined } {
  const { key, traceparent: stored } = row;
  const { topic, headers, value } = message;
  const span = beginBelow('publish', `send ${topic}`, { 'messaging.destination.name': topic }, stored);
  const traceparent = span?.traceparent ?? stored;
  return { record: { topic, key, value, headers: { ...headers, [HEADERS.traceparent]: traceparent } }, span };
}
