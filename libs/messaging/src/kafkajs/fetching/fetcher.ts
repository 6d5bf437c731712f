import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, backOffMs } from '@po/platform';
import type { ConsumerHandlers, FetchProgress } from '../../kafka-port.js';
import { byTopic } from '../group/assignments.js';
import type { Cluster } from '../cluster/cluster.js';
import { type TopicPartition, nameOf } from '../group/assignor.js';
import type { CommittedOffset, LogOrigin } from '../group/group-offsets.js';
import { levelOf } from '../log.js';
import { API, CODE, KafkaProtocolError, requireNoError } from '../cluster/protocol.js';
import { decodeBatches } from './record-batches.js';
import { NEW, type Position, READ_COMMITTED, firstOffsets, rotated } from './positions.js';
import { recordsOf } from './records.js';
import type { FetchedPartition } from '../cluster/versioned-apis.js';

// A fetch returns as soon as there is a record; only an idle fetch takes this long. Resuming after a pause waits for it.
const MAX_WAIT_MS = 1_000;
/** A broker that sends nothing for this long counts as hung. */
const RESPONSE_TIMEOUT_MS = MAX_WAIT_MS + 1_500;
/** Limit of one response. A single record batch can exceed it, up to the size limit of its topic. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024;
/** Limit of one decompressed response; the rest is fetched again. The last batch can exceed it by as much again. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024;
/** Interval between metadata refreshes while a partition has no leader. */
const LEADERLESS_MS = 250;
const RETRY = { initialMs: 50, maxMs: 1_000 };

interface FetcherOptions {
  cluster: Cluster;
  logger: Logger;
  from: 'earliest' | 'latest';
  onRecords: ConsumerHandlers['onRecords'];
  onReset: (partition: TopicPartition) => void;
}

/**
 * Reads partitions with one request in flight per leading broker, so that a dead or hanging broker delays only its own partitions.
 * Follows leaders that move.
 */
export class Fetcher {
  private positions = new Map<string, Position>();
  private readonly reading = new Set<number>();
  private readonly stopping = new AbortController();
  private listing = false;
  private refreshing = false;
  private awaitingLeader = false;
  private fetchedAt = Date.now();
  private attemptedAt = this.fetchedAt;

  constructor(private readonly options: FetcherOptions) {}

  /** Sets the assignment. Remaining partitions keep their position and pause; new ones wait for `begin`. Returns the new ones. */
  assign(assignment: readonly TopicPartition[]): TopicPartition[] {
    const held = this.positions;
    this.positions = new Map(assignment.map((each) => [nameOf(each), held.get(nameOf(each)) ?? { ...each, ...NEW }]));
    return assignment.filter((each) => !held.has(nameOf(each)));
  }

  /** Sets the start offsets of new partitions. An offset below 0 means the `from` option. */
  begin(offsets: readonly CommittedOffset[]): void {
    for (const { offset, origin, ...each } of offsets) {
      const position = this.positions.get(nameOf(each));
      if (position?.next !== null) continue;
      if (offset < 0n) position.startAt = this.options.from;
      else Object.assign(position, { next: offset, ...origin });
    }
    void this.listOffsets();
    this.wake();
  }

  seek(topic: string, partition: number, offset: bigint): void {
    const position = this.positions.get(nameOf({ topic, partition }));
    if (position) Object.assign(position, { next: offset, startAt: null, epoch: -1 });
    this.wake();
  }

  /** The log of the partition's offsets (topic id and leader epoch); null until it is known. */
  origin(topic: string, partition: number): LogOrigin | null {
    const { topicId = null, epoch = -1 } = this.positions.get(nameOf({ topic, partition })) ?? {};
    return topicId === null ? null : { topicId, epoch };
  }

  pause(topic: string, partitions?: readonly number[]): void {
    for (const position of this.select(topic, partitions)) position.paused = true;
  }

  resume(topic: string, partitions?: readonly number[]): void {
    for (const position of this.select(topic, partitions)) position.paused = false;
    this.wake();
  }

  progress(topic: string, partition: number): FetchProgress | null {
    const position = this.positions.get(nameOf({ topic, partition }));
    return position ? { position: position.next, end: position.end } : null;
  }

  /** Epoch milliseconds of the last fetch; the current time while there is nothing to fetch, so as not to look hung. */
  lastFetchAt(what: 'completed' | 'attempted'): number {
    const isLed = ({ topic, partition }: Position) => this.options.cluster.leaderOf(topic, partition) >= 0;
    if (!this.wanted().some(isLed)) return Date.now();
    return what === 'completed' ? this.fetchedAt : this.attemptedAt;
  }

  stop(): void {
    this.stopping.abort();
    this.positions.clear();
  }

  private select(topic: string, partitions?: readonly number[]): Position[] {
    return [...this.positions.values()].filter(
      (one) => one.topic === topic && (!partitions || partitions.includes(one.partition)),
    );
  }

  private wanted(): Position[] {
    return [...this.positions.values()].filter(
      ({ next, paused, backingOff }) => next !== null && !paused && !backingOff,
    );
  }

  /** Starts reading from each leading broker that is not read yet. */
  private wake(): void {
    this.compareTopics();
    for (const { topic, partition } of this.wanted()) {
      const leader = this.options.cluster.leaderOf(topic, partition);
      if (leader < 0) void this.awaitLeader();
      else if (!this.reading.has(leader)) void this.read(leader);
    }
  }

  private async read(leader: number): Promise<void> {
    this.reading.add(leader);
    const { cluster, logger } = this.options;
    const led = () => this.wanted().filter(({ topic, partition }) => cluster.leaderOf(topic, partition) === leader);
    for (let failures = 0, requested = led(); requested.length > 0; requested = led()) {
      try {
        await this.fetch(leader, requested);
        failures = 0;
      } catch (error) {
        // The consumer stops: its connections were closed during the fetch.
        if (this.stopping.signal.aborted) break;
        failures += 1;
        logger[levelOf(failures)]({ err: error, broker: leader, failures }, 'a fetch failed');
        await this.refreshLeaders();
        await this.wait(backOffMs(failures, RETRY));
      }
      // The membership refreshes the metadata too: a partition may have another leader now.
      this.wake();
    }
    this.reading.delete(leader);
  }

  private async fetch(leader: number, requested: readonly Position[]): Promise<void> {
    const began = (this.attemptedAt = Date.now());
    const starts = new Map(requested.map((position) => [position, position.next]));
    const topics = byTopic(rotated(requested), ({ partition, next, epoch }) => ({
      partition,
      fetchOffset: next ?? 0n,
      lastFetchedEpoch: epoch,
      maxBytes: MAX_BYTES_PER_PARTITION,
    })).map(({ topic, partitions }) => ({ topic, topicId: this.options.cluster.topicId(topic) ?? '', partitions }));
    const ask = { maxWaitTime: MAX_WAIT_MS, minBytes: 1, maxBytes: MAX_BYTES, isolationLevel: READ_COMMITTED, topics };
    const node = this.options.cluster.node(leader);
    const answer = await node.send(API.fetch, ask, RESPONSE_TIMEOUT_MS, { isLarge: true });
    this.fetchedAt = Date.now();
    requireNoError(answer.errorCode, `fetch at broker ${leader}`);
    let budget = MAX_DECODED_BYTES;
    for (const { topicId, partitions } of answer.topics) {
      const { topic = '' } = topics.find((one) => one.topicId === topicId) ?? {};
      for (const fetched of partitions) {
        const position = this.positions.get(nameOf({ topic, partition: fetched.partition }));
        const start = position ? (starts.get(position) ?? null) : null;
        if (position && start !== null && budget > 0)
          budget -= await this.take(position, start, fetched, began, budget);
      }
    }
  }

  /** Resolves with the number of decompressed bytes. */
  private async take(
    position: Position,
    start: bigint,
    fetched: FetchedPartition,
    began: number,
    budget: number,
  ): Promise<number> {
    const { errorCode, diverging, batches, aborted, highWatermark, lastStableOffset } = fetched;
    this.options.cluster.authorizationFailures.note(errorCode, 'read', 'topic', position.topic);
    // The partition may have been revoked, paused or repositioned during the fetch.
    const isCurrent = () =>
      this.positions.get(nameOf(position)) === position && position.next === start && !position.paused;
    if (!isCurrent()) return 0;
    if (errorCode === CODE.offsetOutOfRange) {
      this.reset(position, { next: null, startAt: this.options.from, epoch: -1 }, 'the offset is out of range');
      return 0;
    }
    if (errorCode !== CODE.none) {
      this.backOff(position, errorCode);
      return 0;
    }
    position.failures = 0;
    if (diverging) {
      const { epoch, endOffset } = diverging;
      // The log has other records after the last epoch that was read (KIP-320): a leader died before its records were replicated.
      if (endOffset < start) this.reset(position, { next: endOffset, startAt: null, epoch }, 'the log was truncated');
      else position.epoch = epoch;
      return 0;
    }
    const decoded = await decodeBatches(batches, start, { aborted, budget });
    if (!isCurrent()) return decoded.bytes;
    const records = recordsOf(position, decoded, position.end);
    const epoch = decoded.epoch < 0 ? position.epoch : decoded.epoch;
    Object.assign(position, { next: decoded.next, epoch, end: { offset: lastStableOffset, highWatermark, at: began } });
    const { topic, partition } = position;
    if (decoded.next !== start) this.options.onRecords(records, { topic, partition, next: decoded.next });
    return decoded.bytes;
  }

  private backOff(position: Position, errorCode: number): void {
    const { topic, partition } = position;
    const failures = (position.failures += 1);
    const err = new KafkaProtocolError(errorCode, `fetch of ${topic}/${partition}`);
    this.options.logger[levelOf(failures)]({ err, topic, partition, failures }, 'a partition could not be read');
    position.backingOff = true;
    void this.refreshLeaders();
    void this.wait(backOffMs(failures, RETRY)).then(() => {
      position.backingOff = false;
      this.wake();
    });
  }

  /** Resets positions in recreated topics, which have other records at the same offsets. */
  private compareTopics(): void {
    for (const position of this.positions.values()) {
      const topicId = this.options.cluster.topicId(position.topic);
      if (topicId === null || topicId === position.topicId) continue;
      if (position.topicId !== null && position.next !== null)
        this.reset(position, { next: null, startAt: 'earliest', epoch: -1 }, 'the topic was recreated');
      position.topicId = topicId;
    }
  }

  private reset(position: Position, to: Pick<Position, 'next' | 'startAt' | 'epoch'>, why: string): void {
    const { topic, partition, next } = position;
    const fields = { topic, partition, offset: String(next), to: to.next === null ? to.startAt : String(to.next) };
    this.options.logger.warn({ ...fields, why }, 'the position in a partition was reset');
    Object.assign(position, { end: null, ...to });
    this.options.onReset({ topic, partition });
    void this.listOffsets();
  }

  /** Looks up the start offsets of partitions without a committed offset, until all are found. */
  private async listOffsets(): Promise<void> {
    if (this.listing) return;
    this.listing = true;
    const unpositioned = () => [...this.positions.values()].filter(({ startAt }) => startAt !== null);
    for (let failures = 0, left = unpositioned(); left.length > 0; left = unpositioned()) {
      try {
        const byLeader = Map.groupBy(left, ({ topic, partition }) => this.options.cluster.leaderOf(topic, partition));
        await Promise.all(Array.from(byLeader, ([leader, positions]) => this.listOffsetsAt(leader, positions)));
      } catch (error) {
        failures += 1;
        this.options.logger[levelOf(failures)]({ err: error, failures }, 'the start offsets are not known yet');
        await this.refreshLeaders();
        await this.wait(backOffMs(failures, RETRY));
      }
    }
    this.listing = false;
    this.wake();
  }

  private async listOffsetsAt(leader: number, positions: readonly Position[]): Promise<void> {
    await firstOffsets(this.options.cluster.node(leader), positions, (position, offset) => {
      if (position.startAt !== null) Object.assign(position, { next: offset, startAt: null });
    }).finally(() => this.wake());
  }

  private async awaitLeader(): Promise<void> {
    if (this.awaitingLeader) return;
    this.awaitingLeader = true;
    await this.wait(LEADERLESS_MS);
    this.awaitingLeader = false;
    if (!this.stopping.signal.aborted) await this.refreshLeaders();
  }

  private async refreshLeaders(): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    const { cluster, logger } = this.options;
    await cluster.refresh().catch((error: unknown) => logger.debug({ err: error }, 'no broker returned metadata'));
    this.refreshing = false;
    this.wake();
  }

  private wait(ms: number): Promise<unknown> {
    return delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
