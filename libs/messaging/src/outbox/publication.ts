import { HEADERS } from '@po/contracts';
import { type Span, beginChildSpan, errorTypeOf } from '@po/platform';
import type { OutgoingRecord, ProducerPort, SendOptions } from '../kafka-port.js';
import { type OutboxMessage, valueOf } from './outbox.js';
import type { OutboxRow } from './pending-rows.js';

interface Outcome {
  settled: boolean;
  /** Error if the record may not be stored; null once the brokers have acknowledged it. */
  known: Promise<Error | null>;
}

/** One record of a row that is being sent. */
export interface Publication {
  record: OutgoingRecord;
  outcome: Outcome;
}

/** Sends the messages of these rows in one call. Each record gets a span in the trace of its row. */
export function publish(producer: ProducerPort, rows: readonly OutboxRow[], options: SendOptions): Publication[][] {
  const started = rows.map((row) => row.messages.map((message) => recordOf(row, message)));
  const results = producer.sendEach(
    started.flat().map(({ record }) => record),
    options,
  );
  // Records of one partition share a result.
  const outcomes = new Map<Promise<void>, Outcome>();
  let next = 0;
  return started.map((records) =>
    records.map(({ record, span }) => {
      const result = results[next++] as Promise<void>;
      const outcome = outcomes.get(result) ?? outcomeOf(result);
      outcomes.set(result, outcome);
      if (span) void outcome.known.then((error) => span.end(error ? errorTypeOf(error) : undefined));
      return { record, outcome };
    }),
  );
}

function outcomeOf(result: Promise<void>): Outcome {
  const outcome: Outcome = {
    settled: false,
    known: result
      .then(
        () => null,
        (error: Error) => error,
      )
      .finally(() => {
        outcome.settled = true;
      }),
  };
  return outcome;
}

function recordOf(row: OutboxRow, message: OutboxMessage): { record: OutgoingRecord; span: Span | undefined } {
  const { key, traceparent: stored } = row;
  const { topic, headers } = message;
  const span = beginChildSpan('publish', `send ${topic}`, { 'messaging.destination.name': topic }, stored);
  const traceparent = span?.traceparent ?? stored;
  return {
    record: { topic, key, value: valueOf(message), headers: { ...headers, [HEADERS.traceparent]: traceparent } },
    span,
  };
}
