import { setTimeout as delay } from 'node:timers/promises';
import { pauseOf } from '@po/platform';
import kafkajs, { type ICustomPartitioner, type Kafka, type Message, type Producer, type TopicMessages } from 'kafkajs';
import { type OutgoingRecord, type ProducerPort, RecordTooLargeError } from '../kafka-port.js';

const { Partitioners } = kafkajs;

const PRODUCE_TIMEOUT_MS = 5_000;
/** A leader that moved is known after one failure. */
const ATTEMPTS = 4;
const PACE = { firstMs: 50, lastMs: 500 };

/** KafkaJS resolved a call although some of its records were never sent. */
class IncompleteError extends Error {
  constructor(missing: readonly string[]) {
    super(`no broker answered for ${missing.length} of the partitions, ${missing[0]} first`);
    this.name = 'IncompleteError';
  }
}

export function producerPort(kafka: Kafka, options: { acks: 'all' | 'leader'; idempotent?: boolean }): ProducerPort {
  const { idempotent = false } = options;
  const acks = options.acks === 'all' ? -1 : 1;
  const targets = new WeakMap<Message, number>();
  const create = (): Producer =>
    kafka.producer({
      createPartitioner: rememberingIn(targets),
      allowAutoTopicCreation: false,
      idempotent,
      // Order on a connection is only sure with one request at a time.
      ...(idempotent ? { maxInFlightRequests: 1 } : {}),
      // KafkaJS's own retry leaves out every broker that has answered in this call, also for a partition that moved to it
      // (https://github.com/tulios/kafkajs/issues/1303). An idempotent producer must be allowed one.
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: idempotent ? 1 : 0 },
    });
  let producer = create();
  const attempt = async (records: readonly OutgoingRecord[]): Promise<void> => {
    const topicMessages = byTopic(records);
    const answers = await producer.sendBatch({ acks, timeout: PRODUCE_TIMEOUT_MS, topicMessages });
    const answered = new Set(answers.map(({ topicName, partition }) => `${topicName}/${partition}`));
    const missing = partitionsOf(topicMessages, targets).filter((target) => !answered.has(target));
    if (missing.length > 0) throw new IncompleteError(missing);
  };
  return {
    async connect() {
      // A producer that failed keeps half-open state (sequences, dead brokers): every connect starts with a new one.
      const previous = producer;
      producer = create();
      await previous.disconnect().catch(() => undefined);
      await producer.connect();
    },
    async send(records) {
      for (let failures = 1; ; failures += 1) {
        try {
          await attempt(records);
          return;
        } catch (error) {
          if (isTooLarge(error)) throw new RecordTooLargeError({ cause: error });
          if (failures === ATTEMPTS || !mayPass(error)) throw error;
          // All of it again: what was stored already is there twice, which every consumer makes harmless.
          await delay(pauseOf(failures, PACE));
        }
      }
    },
    disconnect: () => producer.disconnect(),
  };
}

/** KafkaJS's partitioner, of which it is remembered where it put each message. */
function rememberingIn(targets: WeakMap<Message, number>): ICustomPartitioner {
  return () => {
    const choose = Partitioners.DefaultPartitioner();
    return (choice) => {
      const partition = choose(choice);
      targets.set(choice.message, partition);
      return partition;
    };
  };
}

function partitionsOf(topicMessages: readonly TopicMessages[], targets: WeakMap<Message, number>): string[] {
  const of = ({ topic, messages }: TopicMessages) => messages.map((message) => `${topic}/${targets.get(message)}`);
  return [...new Set(topicMessages.flatMap(of))];
}

function byTopic(records: readonly OutgoingRecord[]): TopicMessages[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, key, value, headers, partition } of records) {
    const message: Message = { key, value, headers, ...(partition === undefined ? {} : { partition }) };
    const messages = topics.get(topic);
    if (messages) messages.push(message);
    else topics.set(topic, [message]);
  }
  return Array.from(topics, ([topic, messages]) => ({ topic, messages }));
}

// What KafkaJS would have tried again itself.
function mayPass(error: unknown): boolean {
  return error instanceof IncompleteError || (error as { name?: string }).name === 'KafkaJSNumberOfRetriesExceeded';
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
