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
  /** Null before it has joined. */
  consumer: ConsumerPort | null = null;
  private position: bigint | null = null;
  private readonly supervised: SupervisedConsumer;
  private readonly leaving = new AbortController();
  /** Producers of pings that are being closed. */
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

  /** Why it could not join; null before the first time that it could not. */
  get failure(): string | null {
    return this.supervised.failure;
  }

  get partition(): number {
    return this.options.partition;
  }

  /** Returns at once; joins in the background. */
  start(): void {
    this.supervised.start();
  }

  async stop(): Promise<void> {
    this.leaving.abort();
    await Promise.all([this.supervised.leave(), this.closing]);
  }

  /**
   * Answers this reader once a ping through its partition came back, null when `signal` aborts or the reader stops before. The
   * consumer starts at the topic's end, wherever that is once it has joined: pings before that are lost. So they go out often, and
   * any of them will do.
   */
  async proof(signal: AbortSignal): Promise<this | null> {
    const { kafka, logger, partition } = this.options;
    // Sends to a partition without a leader fail slowly: over a producer of requests they would hold those up.
    const publisher = new Publisher(kafka, { acks: 'leader', logger });
    const heard = new AbortController();
    const over = AbortSignal.any([signal, this.leaving.signal, heard.signal]);
    const sent: string[] = [];
    while (!over.aborted) {
      const id = `ping-${randomUUID()}`;
      sent.push(id);
      this.pings.set(id, heard);
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
    this.closing = Promise.all([this.closing, publisher.close()]);
    return heard.signal.aborted ? this : null;
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
