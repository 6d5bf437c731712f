import { randomUUID } from 'node:crypto';
import { HEADERS, TOPICS } from '@po/contracts';
import { type Logger, pause } from '@po/platform';
import { SupervisedConsumer } from '../consuming/supervised-consumer.js';
import type { ConsumerPort, IncomingRecord, KafkaPort } from '../kafka-port.js';
import { Publisher } from '../publishing/publisher.js';

const PING_EVERY_MS = 100;

interface ReplyConsumerOptions {
  kafka: KafkaPort;
  logger: Logger;
  group: string;
  partition: number;
  onReply: (correlationId: string, record: IncomingRecord) => void;
}

/** Reads one partition of the reply topic, without a group, so that no rebalance can lose it. */
export class ReplyConsumer {
  /** Null while no consumer is assigned. */
  consumer: ConsumerPort | null = null;
  private position: bigint | null = null;
  private readonly supervised: SupervisedConsumer;
  private readonly leaving = new AbortController();
  /** Publisher of the last successful verification. They are frequent while a store is slow, and a new publisher opens connections. */
  private verifiedPublisher: Publisher | null = null;
  /** Resolves when the publishers of failed verifications are closed. */
  private closing: Promise<unknown> = Promise.resolve();
  private readonly pings = new Map<string, AbortController>();

  constructor(private readonly options: ReplyConsumerOptions) {
    const { kafka, logger, group, partition } = options;
    this.supervised = new SupervisedConsumer({
      kafka,
      logger,
      consumer: { group, topics: [TOPICS.replies], from: 'latest', partitions: [partition] },
      handlersOf: (consumer) => ({
        onRecords: (records) => this.take(records),
        onReset: () => {
          this.position = null;
        },
        onAssigned: () => {
          this.consumer = consumer;
          // A restarted consumer would start at the end and skip replies, because nothing is committed.
          if (this.position !== null) consumer.seek(TOPICS.replies, partition, String(this.position));
        },
      }),
      onEnd: () => {
        this.consumer = null;
      },
    });
  }

  /** Reason why the last start failed; null if it succeeded or no start has ended. */
  get failure(): string | null {
    return this.supervised.failure;
  }

  get partition(): number {
    return this.options.partition;
  }

  /** Returns at once; starts reading in the background. */
  start(): void {
    this.supervised.start();
  }

  async stop(): Promise<void> {
    this.leaving.abort();
    await Promise.all([this.supervised.leave(), this.closing, this.verifiedPublisher?.close()]);
  }

  /**
   * Resolves with this reader once a ping through its partition has come back; with null if `signal` aborts or the reader stops first.
   * The consumer starts at the end that the topic has once it is assigned, so earlier pings are lost. Pings are therefore sent often,
   * and any of them suffices.
   */
  async verify(signal: AbortSignal): Promise<this | null> {
    const { kafka, logger, partition } = this.options;
    // A separate publisher, because sends to a partition without a leader fail slowly and would delay requests.
    const publisher = this.verifiedPublisher ?? new Publisher(kafka, { acks: 'leader', logger });
    this.verifiedPublisher = null;
    const received = new AbortController();
    const over = AbortSignal.any([signal, this.leaving.signal, received.signal]);
    const sent: string[] = [];
    while (!over.aborted) {
      const id = `ping-${randomUUID()}`;
      sent.push(id);
      this.pings.set(id, received);
      const sending = publisher.enqueue({
        topic: TOPICS.replies,
        partition,
        key: null,
        value: '',
        headers: { [HEADERS.correlationId]: id },
      });
      sending.done.catch(() => undefined);
      await pause(PING_EVERY_MS, over);
      sending.withdraw();
    }
    for (const id of sent) this.pings.delete(id);
    if (received.signal.aborted && !this.leaving.signal.aborted) this.verifiedPublisher = publisher;
    else this.closing = Promise.all([this.closing, publisher.close()]);
    return received.signal.aborted ? this : null;
  }

  private take(records: readonly IncomingRecord[]): void {
    for (const record of records) {
      this.position = BigInt(record.offset) + 1n;
      const { topic, partition, unreadable } = record;
      if (unreadable !== undefined)
        this.options.logger.error({ topic, partition, unreadable }, 'replies could not be read and are lost');
      const correlationId = record.headers[HEADERS.correlationId] ?? '';
      if (correlationId.startsWith('ping-')) this.pings.get(correlationId)?.abort();
      else this.options.onReply(correlationId, record);
    }
  }
}
