import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HEADERS, REPLY_PARTITIONS, TOPICS } from '@po/contracts';
import type { Logger } from '@po/platform';
import type { ConsumerPort, IncomingRecord, KafkaPort } from './kafka-port.js';
import type { Publisher } from './publisher.js';
import { Watchdog } from './watchdog.js';

const PING_EVERY_MS = 100;
const RESTART_AFTER_MS = 1_000;

/** The reply partition of an instance. Two instances on one slot are harmless: unknown correlation ids are dropped. */
export function slotOf(instanceId: string): number {
  return createHash('sha256').update(instanceId).digest().readUInt32BE(0) % REPLY_PARTITIONS;
}

/**
 * Reads this instance's partition of the reply topic, in a group of its own. `proven` once a ping through the slot came back; that
 * is latched: a later outage of Kafka must not unready every gateway at once.
 */
export class ReplySlot {
  readonly partition: number;
  readonly watchdog: Watchdog;
  proven = false;
  private consumer: ConsumerPort | null = null;
  private position: bigint | null = null;
  private stopping = false;
  private readonly pings = new Set<string>();
  private proving: Promise<void> | null = null;

  constructor(
    private readonly options: {
      kafka: KafkaPort;
      publisher: Publisher;
      instanceId: string;
      logger: Logger;
      onReply: (correlationId: string, record: IncomingRecord) => void;
    },
  ) {
    this.partition = slotOf(options.instanceId);
    this.watchdog = new Watchdog(options.kafka, this.group, () => this.consumer);
  }

  /** Returns at once; joins, and proves the slot, in the background. */
  start(): void {
    this.watchdog.start();
    void this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.watchdog.stop();
    await this.proving;
    await this.consumer?.stop();
  }

  private get group(): string {
    return `replies-${this.options.instanceId}`;
  }

  private async run(): Promise<void> {
    const { kafka, logger } = this.options;
    while (!this.stopping) {
      const crashed = Promise.withResolvers<Error>();
      const consumer = kafka.consumer({
        group: this.group,
        topics: [TOPICS.replies],
        from: 'latest',
        slot: this.partition,
      });
      try {
        await consumer.start({
          onRecords: (records) => this.take(records),
          onAssigned: () => {
            this.consumer = consumer;
            this.proving ??= this.prove();
            // A re-join forgets positions that were never committed and would start at the end, over the heads of replies.
            if (this.position !== null) consumer.seek(TOPICS.replies, this.partition, String(this.position));
          },
          onRevoked: () => undefined,
          onCrash: crashed.resolve,
        });
        logger.error({ err: await crashed.promise }, 'the reply consumer crashed; starting it anew');
      } catch (error) {
        logger.warn({ err: error }, 'the reply consumer could not start; trying again');
      }
      this.consumer = null;
      await consumer.stop().catch(() => undefined);
      await delay(RESTART_AFTER_MS, undefined, { ref: false });
    }
  }

  private take(records: readonly IncomingRecord[]): void {
    for (const record of records) {
      this.position = BigInt(record.offset) + 1n;
      const correlationId = record.headers[HEADERS.correlationId] ?? '';
      if (correlationId.startsWith('ping-')) this.proven ||= this.pings.has(correlationId);
      else this.options.onReply(correlationId, record);
    }
  }

  // The consumer starts at the topic's end, wherever that is once it has joined: pings before that are lost. So they go out often,
  // from the first join on, and any of them proves the slot.
  private async prove(): Promise<void> {
    while (!this.proven && !this.stopping) {
      const ping = `ping-${randomUUID()}`;
      this.pings.add(ping);
      const sending = this.options.publisher.enqueue({
        topic: TOPICS.replies,
        partition: this.partition,
        key: null,
        value: '',
        headers: { [HEADERS.correlationId]: ping },
      });
      sending.done.catch(() => undefined);
      await delay(PING_EVERY_MS, undefined, { ref: false });
      sending.withdraw();
    }
    this.pings.clear();
  }
}
