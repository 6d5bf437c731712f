import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, shouldLog } from '@po/platform';
import {
  type ConsumerOptions,
  type ConsumerPort,
  type IncomingRecord,
  type KafkaPort,
  bytesOf,
} from '../kafka-port.js';
import { KeyedQueue } from './keyed-queue.js';
import { lagOf } from './lag.js';
import { type ObservedConsumer, consumers } from '../metrics.js';
import { OffsetTracker } from './offset-tracker.js';
import { PartitionProgress, type PartitionState } from './partition-progress.js';
import { SupervisedConsumer } from './supervised-consumer.js';
import { Watchdog } from './watchdog.js';

export interface ConsumerLoopOptions {
  kafka: KafkaPort;
  consumer: ConsumerOptions;
  logger: Logger;
  /** Number of records handled concurrently. */
  concurrency: number;
  /** Records with the same key are handled in order. Null if the order does not matter. */
  queueKeyOf: (record: IncomingRecord) => string | null;
  /**
   * Handles one record. Resolves true (done) once its effect is stored or its reply sent. `stopped` turns true when the partition is
   * lost or the process drains: retries should then end and resolve false (not done), as a rejection does.
   */
  handle: (record: IncomingRecord, stopped: () => boolean) => Promise<boolean>;
}

const COMMIT_EVERY_MS = 250;
const COMMIT_EVERY_RECORDS = 200;
/** Fetching pauses above `concurrency` times this many queued records, but never below `SMALLEST_BUFFER`. */
const PAUSE_ABOVE = 4;
// Resuming can take as long as a fetch waits, so enough queued records must remain until then.
const SMALLEST_BUFFER = 1_024;
/** The same limit in bytes. Memory holds at most this, plus one response in flight per broker (see MAX_BYTES of the fetcher). */
const PAUSE_ABOVE_BYTES = 16 * 1024 * 1024;
/** Limit of records per partition from the oldest unhandled one on. All stay tracked, and the partition's next owner reads them again. */
const MAX_UNCOMMITTABLE = 10_000;
const LEAVE_MS = 5_000;
/** Attempts of the final commit. Each can take some seconds while a broker hangs. */
const COMMITS_AT_END = 3;

/** An assigned partition and its progress. */
interface AssignedPartition {
  topic: string;
  partition: number;
  tracker: OffsetTracker;
  /** True while the partition has too many uncommittable records. */
  paused: boolean;
}

/**
 * Queues records as they are fetched, so that no handler blocks the fetch loop, and commits the low watermark of each partition: the offset
 * below which all records are handled.
 */
export class ConsumerLoop {
  private readonly queue: KeyedQueue;
  private consumer: ConsumerPort | null = null;
  /** Trackers of the assigned partitions. Work of a removed tracker is dropped: its records belong to another member. */
  private trackers = new Map<string, AssignedPartition>();
  /** Start time of each record being handled, oldest first. */
  private readonly handling = new Map<IncomingRecord, number>();
  private paused = false;
  private stopping = false;
  private joined = false;
  /** False while the group may have continued without this consumer. */
  private member = false;
  private doneSinceCommit = 0;
  private readonly watchdog: Watchdog;
  private readonly progress: PartitionProgress;
  private commitTimer: NodeJS.Timeout | undefined;
  private committing: Promise<boolean> = Promise.resolve(true);
  /** The commit queued behind the current one. */
  private nextCommit: Promise<boolean> | null = null;
  private commitFailures = 0;
  private readonly supervised: SupervisedConsumer;
  private readonly observed: ObservedConsumer;

  constructor(private readonly options: ConsumerLoopOptions) {
    const { kafka, logger, consumer } = options;
    this.queue = new KeyedQueue(options.concurrency, (error) => {
      // Only a defect rejects. The record stays uncommitted, and the partition's next owner handles it again.
      if (error) logger.error({ err: error, group: consumer.group }, 'a record is not handled because of a defect');
      this.adjustFlow();
    });
    this.supervised = new SupervisedConsumer({
      kafka,
      logger,
      consumer,
      handlersOf: (port) => ({
        onRecords: (records) => this.take(port, records),
        onReset: ({ topic, partition }) => this.restarted(`${topic}/${partition}`),
        onAssigned: (assignment) => this.assigned(port, assignment),
        onRebalancing: () => void this.commit(),
        onPartitionsLost: () => this.lost(),
      }),
      onEnd: () => this.reset(),
    });
    this.watchdog = new Watchdog(consumer.group, () => (this.joined ? this.consumer : null));
    this.progress = new PartitionProgress(consumer.group, logger, () => this.states());
    this.observed = {
      group: consumer.group,
      isUp: () => this.member && this.watchdog.fetches,
      lag: () => lagOf(this.states(), this.handling),
      withoutProgress: () => this.progress.withoutProgress(),
    };
  }

  /** Returns at once; joins the group in the background, and retries while Kafka is unavailable. */
  start(): void {
    consumers.add(this.observed);
    this.progress.start();
    this.supervised.start();
  }

  /** True once the consumer has joined and has an assignment (possibly empty); else the reason. */
  get ready(): true | string {
    const { failure } = this.supervised;
    return this.joined || `has not joined group ${this.options.consumer.group} yet${failure ? `: ${failure}` : ''}`;
  }

  /** True, or the reason if the consumer hangs and only a restart can help. */
  get alive(): true | string {
    return this.watchdog.alive;
  }

  /** Stops accepting records, finishes those being handled (at most `timeoutMs`), commits and leaves the group. */
  async drain(timeoutMs: number): Promise<void> {
    this.stopping = true;
    this.supervised.stopReplacing();
    consumers.delete(this.observed);
    this.progress.stop();
    this.pauseAll();
    await Promise.race([this.queue.drained(), delay(timeoutMs, undefined, { ref: false })]);
    // A moving coordinator takes a moment. The next owner handles uncommitted records again.
    for (let tries = 0; tries < COMMITS_AT_END && !(await this.commit()); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, COMMIT_EVERY_MS));
    clearTimeout(this.commitTimer);
    // A join that waits for a broker may take longer than a shutdown allows.
    await Promise.race([this.supervised.leave(), delay(LEAVE_MS, undefined, { ref: false })]);
  }

  private reset(): void {
    this.trackers = new Map();
    this.paused = false;
    this.consumer = null;
  }

  private assigned(consumer: ConsumerPort, assignment: readonly { topic: string; partition: number }[]): void {
    if (consumer !== this.consumer) this.reset();
    this.consumer = consumer;
    this.joined = true;
    this.member = true;
    const before = this.trackers;
    this.trackers = new Map(
      assignment.map(({ topic, partition }) => {
        const name = `${topic}/${partition}`;
        return [name, before.get(name) ?? { topic, partition, tracker: new OffsetTracker(), paused: false }];
      }),
    );
    // The queued records that caused a pause may now belong to another member.
    this.resumeAll();
  }

  private lost(): void {
    this.trackers = new Map();
    this.member = false;
  }

  // Fetched records are still handled, because no other member would, but not committed: their offsets belong to another log.
  private restarted(name: string): void {
    const assigned = this.trackers.get(name);
    if (!assigned) return;
    assigned.tracker = new OffsetTracker();
    this.boundUncommittable(assigned);
  }

  private take(consumer: ConsumerPort, records: readonly IncomingRecord[]): void {
    if (consumer !== this.consumer || this.stopping) return;
    for (const record of records) {
      const name = `${record.topic}/${record.partition}`;
      const assigned = this.trackers.get(name);
      if (!assigned?.tracker.received(BigInt(record.offset), record.timestamp)) continue;
      this.boundUncommittable(assigned);
      const { tracker } = assigned;
      const lost = () => this.trackers.get(name) !== assigned;
      const stopped = () => this.stopping || lost();
      this.queue.push(this.options.queueKeyOf(record), bytesOf(record), async () => {
        // A record abandoned during a drain stays open in the tracker, so no later offset is committed.
        if (!lost() && (await this.handle(record, stopped)) && !lost())
          this.finished(assigned, tracker, BigInt(record.offset));
      });
    }
    this.adjustFlow();
  }

  private async handle(record: IncomingRecord, stopped: () => boolean): Promise<boolean> {
    this.handling.set(record, Date.now());
    return this.options.handle(record, stopped).finally(() => this.handling.delete(record));
  }

  private finished(assigned: AssignedPartition, tracker: OffsetTracker, offset: bigint): void {
    tracker.done(offset);
    this.boundUncommittable(assigned);
    this.doneSinceCommit += 1;
    if (this.doneSinceCommit >= COMMIT_EVERY_RECORDS) void this.commit();
    else this.commitSoon();
  }

  // Armed only if there is something to commit: an idle consumer has no timer.
  private commitSoon(): void {
    this.commitTimer ??= setTimeout(() => void this.commit(), COMMIT_EVERY_MS);
  }

  private adjustFlow(): void {
    if (this.stopping) return;
    const limit = Math.max(PAUSE_ABOVE * this.options.concurrency, SMALLEST_BUFFER);
    const { size, bytes } = this.queue;
    if (!this.paused && (size > limit || bytes > PAUSE_ABOVE_BYTES)) this.pauseAll();
    else if (this.paused && size <= limit / 2 && bytes <= PAUSE_ABOVE_BYTES / 2) this.resumeAll();
  }

  private boundUncommittable(assigned: AssignedPartition): void {
    const { topic, partition, tracker, paused } = assigned;
    if (!paused && tracker.uncommittable > MAX_UNCOMMITTABLE) {
      assigned.paused = true;
      this.consumer?.pause(topic, [partition]);
    } else if (paused && tracker.uncommittable <= MAX_UNCOMMITTABLE / 2) {
      assigned.paused = false;
      if (!this.paused) this.consumer?.resume(topic, [partition]);
    }
  }

  private pauseAll(): void {
    this.paused = true;
    for (const topic of this.options.consumer.topics) this.consumer?.pause(topic);
  }

  private resumeAll(): void {
    this.paused = false;
    const open = [...this.trackers.values()].filter(({ paused }) => !paused);
    for (const [topic, partitions] of Map.groupBy(open, (one) => one.topic)) {
      this.consumer?.resume(
        topic,
        partitions.map(({ partition }) => partition),
      );
    }
  }

  /** Resolves true if everything committable is committed. Calls during a running commit share the next one. */
  private commit(): Promise<boolean> {
    clearTimeout(this.commitTimer);
    this.commitTimer = undefined;
    this.nextCommit ??= this.committing.then(() => {
      this.committing = this.commitNow();
      this.nextCommit = null;
      return this.committing;
    });
    return this.nextCommit;
  }

  private async commitNow(): Promise<boolean> {
    const { consumer } = this;
    if (!consumer) return true;
    this.doneSinceCommit = 0;
    const due = [...this.trackers.values()].flatMap(({ topic, partition, tracker }) => {
      const offset = tracker.committable();
      return offset === null ? [] : [{ topic, partition, tracker, offset }];
    });
    if (due.length === 0) return true;
    try {
      await consumer.commit(due.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })));
      for (const { tracker, offset } of due) tracker.acknowledged(offset);
      this.commitFailures = 0;
      return true;
    } catch (error) {
      this.commitFailures += 1;
      // Commits fail during a rebalance and are retried soon.
      const level = shouldLog(this.commitFailures) ? 'warn' : 'debug';
      this.options.logger[level]({ err: error, group: this.options.consumer.group }, 'offsets not committed');
      if (!this.stopping) this.commitSoon();
      return false;
    }
  }

  private states(): (PartitionState & AssignedPartition)[] {
    return [...this.trackers.values()].map((assigned) => {
      const { topic, partition, tracker } = assigned;
      const { position = null, end = null } = this.consumer?.progress(topic, partition) ?? {};
      return { ...assigned, low: tracker.firstPending ?? position, end };
    });
  }
}
