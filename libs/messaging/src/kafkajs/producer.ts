import kafkajs, { type Kafka, type Message, type Producer } from 'kafkajs';
import { type OutgoingRecord, type ProducerPort, RecordTooLargeError } from '../kafka-port.js';

const { Partitioners } = kafkajs;

const PRODUCE_TIMEOUT_MS = 5_000;

export function producerPort(kafka: Kafka, options: { acks: 'all' | 'leader'; idempotent?: boolean }): ProducerPort {
  const create = (): Producer =>
    kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      idempotent: options.idempotent ?? false,
      // Order on a connection is only sure with one request at a time.
      ...(options.idempotent ? { maxInFlightRequests: 1 } : {}),
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 3 },
    });
  let producer = create();
  return {
    async connect() {
      // A producer that failed keeps half-open state (sequences, dead brokers): every connect starts with a new one.
      const previous = producer;
      producer = create();
      await previous.disconnect().catch(() => undefined);
      await producer.connect();
    },
    async send(records) {
      try {
        await producer.sendBatch({
          acks: options.acks === 'all' ? -1 : 1,
          timeout: PRODUCE_TIMEOUT_MS,
          topicMessages: byTopic(records),
        });
      } catch (error) {
        throw isTooLarge(error) ? new RecordTooLargeError({ cause: error }) : error;
      }
    },
    disconnect: () => producer.disconnect(),
  };
}

function byTopic(records: readonly OutgoingRecord[]): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, key, value, headers, partition } of records) {
    const message: Message = { key, value, headers, ...(partition === undefined ? {} : { partition }) };
    const messages = topics.get(topic);
    if (messages) messages.push(message);
    else topics.set(topic, [message]);
  }
  return Array.from(topics, ([topic, messages]) => ({ topic, messages }));
}

function isTooLarge(error: unknown): boolean {
  for (
    let cause = error as { type?: string; cause?: unknown } | undefined;
    cause;
    cause = cause.cause as typeof cause
  ) {
    if (cause.type === 'MESSAGE_TOO_LARGE' || cause.type === 'RECORD_LIST_TOO_LARGE') return true;
  }
  return false;
}
