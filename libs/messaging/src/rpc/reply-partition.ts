import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { REPLY_PARTITIONS, TOPICS } from '@po/contracts';
import type { Logger } from '@po/platform';
import type { IncomingRecord, KafkaPort } from '../kafka-port.js';
import { ReplyConsumer } from './reply-consumer.js';
import { Watchdog } from '../consuming/watchdog.js';

/** Longer than a partition has no leader during a rolling restart of the brokers. */
const MOVE_AFTER_MS = 3_000;
/** If no ping returns for this long, no replies arrive either. A healthy broker returns a ping in milliseconds. */
const SILENT_AFTER_MS = 500;
/** No request waits longer than this, so replies to the old partition may arrive until then. */
const KEEP_OLD_MS = 10_000;

export interface ReplyPartitionOptions {
  kafka: KafkaPort;
  instanceId: string;
  /** Initial partition. */
  partition: number;
  /** The current and the candidate partition of the other reply partition. Their brokers are avoided if possible. */
  apartFrom: () => readonly number[];
  logger: Logger;
  onReply: (correlationId: string, record: IncomingRecord) => void;
  /** Milliseconds without a returned ping until another partition is tried; 3,000 by default. */
  moveAfterMs?: number | undefined;
}

/** Initial reply partition of an instance. Two instances on one partition are harmless: unknown correlation ids are dropped. */
export function initialReplyPartition(instanceId: string): number {
  return createHash('sha256').update(instanceId).digest().readUInt32BE(0) % REPLY_PARTITIONS;
}

/**
 * This instance's partition of the reply topic. `isVerified` turns true once a ping through it has returned, and stays true: a later outage
 * of Kafka must not make every gateway unready at the same time. If pings stop returning while pings through another partition do
 * return, it switches to that partition.
 */
export class ReplyPartition {
  readonly watchdog: Watchdog;
  isVerified = false;
  private current: ReplyConsumer;
  /** Candidate to switch to. */
  private next: number | null = null;
  private readonly old = new Map<ReplyConsumer, NodeJS.Timeout>();
  private probing: Promise<void> | null = null;
  private probingSince = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly options: ReplyPartitionOptions) {
    this.current = this.reader(options.partition);
    this.watchdog = new Watchdog(`replies-${options.instanceId}`, () => this.current.consumer);
  }

  /** Milliseconds for which pings have been sent and none has returned; 0 if the last ping returned. */
  get silentForMs(): number {
    return this.probing ? performance.now() - this.probingSince : 0;
  }

  /** True if replies currently arrive, as far as known. */
  get isWorking(): boolean {
    return this.isVerified && this.silentForMs < SILENT_AFTER_MS;
  }

  /** Reason why the partition cannot be read, if known; else null. */
  get failure(): string | null {
    return this.current.failure;
  }

  /** The partition for replies to new requests. */
  get partition(): number {
    return this.current.partition;
  }

  /** The current partition, and the candidate if there is one. */
  get partitionsInUse(): readonly number[] {
    return this.next === null ? [this.partition] : [this.partition, this.next];
  }

  /** Returns at once; starts reading and sends pings in the background. */
  start(): void {
    this.current.start();
    this.verify();
  }

  /** Checks by pings that replies can arrive. Called when a reply is overdue. */
  verify(): void {
    if (this.probing) return;
    this.probingSince = performance.now();
    this.probing = this.probe().finally(() => {
      this.probing = null;
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.probing;
    for (const timer of this.old.values()) clearTimeout(timer);
    await Promise.all([this.current, ...this.old.keys()].map((reader) => reader.stop()));
  }

  private reader(partition: number): ReplyConsumer {
    const { kafka, instanceId, logger, onReply } = this.options;
    return new ReplyConsumer({ kafka, logger, onReply, partition, group: `replies-${instanceId}-${partition}` });
  }

  // Switches only after a ping has returned through another partition, so nothing changes while all of Kafka is unavailable. Every round
  // starts new pings, so that the back-off of the current partition does not put it at a disadvantage after an outage.
  private async probe(): Promise<void> {
    const { moveAfterMs = MOVE_AFTER_MS } = this.options;
    let candidate: ReplyConsumer | null = null;
    for (let step = 1; !this.stopping.signal.aborted; step = (step % (REPLY_PARTITIONS - 1)) + 1) {
      const round = new AbortController();
      const signal = AbortSignal.any([round.signal, this.stopping.signal]);
      const readers: ReplyConsumer[] = candidate ? [this.current, candidate] : [this.current];
      const timeout = delay(moveAfterMs, null, { ref: false, signal }).catch(() => null);
      const verified = await Promise.race([...readers.map((reader) => reader.verify(signal)), timeout]);
      round.abort();
      if (verified) {
        this.isVerified = true;
        if (verified !== this.current) this.moveTo(verified);
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

  /** Selects the next candidate: another one at each step, on a separate broker if possible. None while no broker returns leaders. */
  private async tryNextPartition(step: number): Promise<void> {
    const leaders = await this.options.kafka.leaders(TOPICS.replies).catch(() => null);
    this.next = null;
    if (!leaders) return;
    // No await below: two reply partitions that select at the same time must not choose the same candidate.
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
