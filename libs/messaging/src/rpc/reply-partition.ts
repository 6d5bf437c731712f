import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { REPLY_PARTITIONS, TOPICS } from '@po/contracts';
import type { Logger } from '@po/platform';
import type { IncomingRecord, KafkaPort } from '../kafka-port.js';
import { ReplyConsumer } from './reply-consumer.js';
import { Watchdog } from '../consuming/watchdog.js';

/** Longer than a partition is without a leader when brokers are restarted one by one. */
const MOVE_AFTER_MS = 3_000;
/** Without a ping for so long, answers do not come either. A healthy broker returns one in milliseconds. */
const SILENT_AFTER_MS = 500;
/** No request waits for longer than this: answers to the old partition may come until then. */
const KEEP_OLD_MS = 10_000;

export interface ReplyPartitionOptions {
  kafka: KafkaPort;
  instanceId: string;
  /** The one to begin with. */
  partition: number;
  /** Partitions whose brokers the other reply partition depends on already, or is about to. */
  apartFrom: () => readonly number[];
  logger: Logger;
  onReply: (correlationId: string, record: IncomingRecord) => void;
  /** Milliseconds without a ping coming back until another partition is tried; 3,000 by default. */
  moveAfterMs?: number | undefined;
}

/** The reply partition an instance begins with. Two instances on one partition are harmless: unknown correlation ids are dropped. */
export function initialReplyPartition(instanceId: string): number {
  return createHash('sha256').update(instanceId).digest().readUInt32BE(0) % REPLY_PARTITIONS;
}

/**
 * This instance's partition of the reply topic. `proven` once a ping through it came back; that is latched: a later outage of
 * Kafka must not make every gateway unready at once. When pings stop coming back while those through another partition do,
 * it changes to that partition.
 */
export class ReplyPartition {
  readonly watchdog: Watchdog;
  proven = false;
  private current: ReplyConsumer;
  /** Where it may move. */
  private next: number | null = null;
  private readonly old = new Map<ReplyConsumer, NodeJS.Timeout>();
  private probing: Promise<void> | null = null;
  private probingSince = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly options: ReplyPartitionOptions) {
    this.current = this.reader(options.partition);
    this.watchdog = new Watchdog(options.kafka, `replies-${options.instanceId}`, () => this.current.consumer);
  }

  /** Milliseconds since pings are sent of which none has come back; 0 when the last one did. */
  get silentForMs(): number {
    return this.probing ? performance.now() - this.probingSince : 0;
  }

  /** Whether answers come back now, as far as is known. */
  get works(): boolean {
    return this.proven && this.silentForMs < SILENT_AFTER_MS;
  }

  /** Why nothing can be read there, if that is known. */
  get failure(): string | null {
    return this.current.failure;
  }

  /** Where answers to new requests shall go. */
  get partition(): number {
    return this.current.partition;
  }

  /** Where it is, and where it may move. */
  get places(): readonly number[] {
    return this.next === null ? [this.partition] : [this.partition, this.next];
  }

  /** Returns at once; joins, and proves it, in the background. */
  start(): void {
    this.watchdog.start();
    this.current.start();
    this.verify();
  }

  /** An answer is overdue: makes sure that answers can come back at all. */
  verify(): void {
    if (this.probing) return;
    this.probingSince = performance.now();
    this.probing = this.probe().finally(() => {
      this.probing = null;
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.watchdog.stop();
    await this.probing;
    for (const timer of this.old.values()) clearTimeout(timer);
    await Promise.all([this.current, ...this.old.keys()].map((reader) => reader.stop()));
  }

  private reader(partition: number): ReplyConsumer {
    const { kafka, instanceId, logger, onReply } = this.options;
    return new ReplyConsumer({ kafka, logger, onReply, partition, group: `replies-${instanceId}-${partition}` });
  }

  // Only a ping that came back through another partition moves it: with Kafka away altogether none does, and nothing changes.
  // Every round pings anew, so that after an outage the present partition is not behind by its back-off.
  private async probe(): Promise<void> {
    const { moveAfterMs = MOVE_AFTER_MS } = this.options;
    let candidate: ReplyConsumer | null = null;
    for (let step = 1; !this.stopping.signal.aborted; step = (step % (REPLY_PARTITIONS - 1)) + 1) {
      const round = new AbortController();
      const signal = AbortSignal.any([round.signal, this.stopping.signal]);
      const readers: ReplyConsumer[] = candidate ? [this.current, candidate] : [this.current];
      const timeout = delay(moveAfterMs, null, { ref: false, signal }).catch(() => null);
      const proof = await Promise.race([...readers.map((reader) => reader.proof(signal)), timeout]);
      round.abort();
      if (proof) {
        this.proven = true;
        if (proof !== this.current) this.moveTo(proof);
        break;
      }
      await candidate?.stop();
      await this.tryNextPartition(step);
      candidate = this.next === null ? null : this.reader(this.next);
      candidate?.start();
    }
    this.next = null;
    if (candidate !== this.current) await candidate?.stop();
  }

  /** Finds a partition to try instead, another at each step; on a broker of its own, if there is one. None while no broker tells. */
  private async tryNextPartition(step: number): Promise<void> {
    const leaders = await this.options.kafka.leaders(TOPICS.replies).catch(() => null);
    this.next = null;
    if (!leaders) return;
    // From here on nothing is waited for: two that look at once must not go to one place.
    const { partition } = this.current;
    const apart = this.options.apartFrom();
    const led = leaders
      .map((_, index) => (partition + 1 + index) % leaders.length)
      .filter((other) => other !== partition && !apart.includes(other) && (leaders[other] ?? -1) >= 0);
    const taken = [partition, ...apart].map((other) => leaders[other]);
    const better = led.filter((other) => !taken.includes(leaders[other]));
    const choice = better.length > 0 ? better : led;
    this.next = choice[(step - 1) % choice.length] ?? null;
  }

  private moveTo(reader: ReplyConsumer): void {
    const { partition } = this.current;
    this.options.logger.warn(
      { from: partition, to: reader.partition },
      'no ping came back; switched to another reply partition',
    );
    this.retire(this.current);
    this.current = reader;
  }

  private retire(reader: ReplyConsumer): void {
    const timer = setTimeout(() => {
      this.old.delete(reader);
      void reader.stop();
    }, KEEP_OLD_MS);
    this.old.set(reader, timer.unref());
  }
}
