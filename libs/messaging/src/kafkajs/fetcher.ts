import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pauseOf } from '@po/platform';
import type { FetchProgress, IncomingRecord } from '../kafka-port.js';
import { byTopic } from './assignments.js';
import type { Cluster } from './cluster.js';
import { type TopicPartition, nameOf } from './dealing.js';
import { levelOf } from './log.js';
import { API, CODE, type FetchedPartition, KafkaProtocolError } from './protocol.js';
import { type End, recordsOf } from './records.js';

// A fetch returns as soon as there is a record; only an idle one takes this long. Resuming after a pause waits for it.
const MAX_WAIT_MS = 1_000;
/** A broker that takes so much longer hangs. */
const ANSWER_WITHIN_MS = MAX_WAIT_MS + 1_500;
/** Of one response; a single batch of records that is larger comes nevertheless, of up to what its topic takes. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024;
/** What a transaction took back is not shown. */
const READ_COMMITTED = 1;
/** Between two looks at who leads, while some partition has no leader. */
const LEADERLESS_MS = 250;
const PACE = { firstMs: 50, lastMs: 1_000 };
const TIMESTAMP = { earliest: -2, latest: -1 };

interface Position extends TopicPartition {
  /** The offset of the next record to read; null until it is known where to begin. */
  next: bigint | null;
  /** Nothing is committed, or what is committed is gone: it begins where the options say. */
  lost: boolean;
  paused: boolean;
  end: End | null;
}

interface FetcherOptions {
  cluster: Cluster;
  logger: Logger;
  from: 'earliest' | 'latest';
  onRecords: (records: readonly IncomingRecord[]) => void;
}

/**
 * Reads partitions, with one request under way at each broker that leads some of them: a broker that is dead or hangs holds up its own
 * partitions and no others. A leader that moved is learned of and followed; no position is ever forgotten.
 */
export class Fetcher {
  private positions = new Map<string, Position>();
  private readonly reading = new Set<number>();
  private readonly stopping = new AbortController();
  private locating = false;
  private looking = false;
  private fetchedAt = Date.now();

  constructor(private readonly options: FetcherOptions) {}

  /** What was held before keeps its position and its pause; what is new waits for `begin`. Answers the new ones. */
  assign(assignment: readonly TopicPartition[]): TopicPartition[] {
    const held = this.positions;
    this.positions = new Map(
      assignment.map((each) => [
        nameOf(each),
        held.get(nameOf(each)) ?? { ...each, next: null, lost: false, paused: false, end: null },
      ]),
    );
    return assignment.filter((each) => !held.has(nameOf(each)));
  }

  /** Where to begin: at these offsets, or where the options say for an offset below 0. */
  begin(offsets: readonly (TopicPartition & { offset: bigint })[]): void {
    for (const { offset, ...each } of offsets) {
      const position = this.positions.get(nameOf(each));
      if (position?.next !== null) continue;
      if (offset < 0n) position.lost = true;
      else position.next = offset;
    }
    void this.locate();
    this.wake();
  }

  seek(topic: string, partition: number, offset: bigint): void {
    const position = this.positions.get(nameOf({ topic, partition }));
    if (position) Object.assign(position, { next: offset, lost: false });
    this.wake();
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

  /** Epoch milliseconds of the last completed fetch; now while there is nothing to fetch, which is no reason to take it for hung. */
  get lastFetchAt(): number {
    const { cluster } = this.options;
    const isLed = ({ topic, partition }: Position) => cluster.leaderOf(topic, partition) >= 0;
    return this.wanted().some(isLed) ? this.fetchedAt : Date.now();
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
    return [...this.positions.values()].filter(({ next, paused }) => next !== null && !paused);
  }

  /** Begins to read at each broker that leads something and is not read yet. */
  private wake(): void {
    for (const { topic, partition } of this.wanted()) {
      const leader = this.options.cluster.leaderOf(topic, partition);
      if (leader < 0) void this.look();
      else if (!this.reading.has(leader)) void this.read(leader);
    }
  }

  private async read(leader: number): Promise<void> {
    this.reading.add(leader);
    const { cluster, logger } = this.options;
    const led = () => this.wanted().filter(({ topic, partition }) => cluster.leaderOf(topic, partition) === leader);
    let asked = led();
    for (let failures = 0; asked.length > 0; asked = led()) {
      try {
        await this.fetch(leader, asked);
        failures = 0;
      } catch (error) {
        failures += 1;
        logger[levelOf(failures)]({ err: error, broker: leader, failures }, 'a fetch failed');
        await this.look();
        await this.wait(pauseOf(failures, PACE));
      }
    }
    this.reading.delete(leader);
  }

  private async fetch(leader: number, asked: readonly Position[]): Promise<void> {
    const began = Date.now();
    const starts = new Map(asked.map((position) => [nameOf(position), String(position.next)]));
    const { errorCode = CODE.none, responses } = await this.options.cluster.node(leader).send(
      API.fetch,
      {
        ...{ maxWaitTime: MAX_WAIT_MS, minBytes: 1, maxBytes: MAX_BYTES, isolationLevel: READ_COMMITTED },
        topics: byTopic(rotated(asked), ({ partition, next }) => ({
          ...{ partition, fetchOffset: String(next), maxBytes: MAX_BYTES_PER_PARTITION },
        })),
      },
      ANSWER_WITHIN_MS,
    );
    this.fetchedAt = Date.now();
    const codes = [errorCode];
    for (const { topicName: topic, partitions } of responses) {
      for (const fetched of partitions) {
        codes.push(fetched.errorCode);
        this.options.cluster.refusals.note(fetched.errorCode, 'read', 'topic', topic);
        this.take(topic, fetched, starts.get(nameOf({ topic, partition: fetched.partition })), began);
      }
    }
    const refused = codes.find((code) => code !== CODE.none && code !== CODE.offsetOutOfRange);
    if (refused !== undefined) throw new KafkaProtocolError(refused, `fetch at broker ${leader}`);
  }

  private take(topic: string, fetched: FetchedPartition, start: string | undefined, began: number): void {
    const position = this.positions.get(nameOf({ topic, partition: fetched.partition }));
    // Meanwhile it may have been taken away, or sought elsewhere.
    if (!position || position.paused || start === undefined || String(position.next) !== start) return;
    if (fetched.errorCode === CODE.offsetOutOfRange) {
      this.options.logger.error({ topic, partition: fetched.partition, offset: start }, 'the offset is not there');
      Object.assign(position, { next: null, lost: true });
      void this.locate();
    }
    if (fetched.errorCode !== CODE.none) return;
    const { records, next } = recordsOf(topic, fetched, start, position.end);
    Object.assign(position, { next, end: { offset: BigInt(fetched.highWatermark), at: began } });
    if (records.length > 0) this.options.onRecords(records);
  }

  /** Finds out where to begin what has no committed offset, until all is found. */
  private async locate(): Promise<void> {
    if (this.locating) return;
    this.locating = true;
    const lost = () => [...this.positions.values()].filter((position) => position.lost);
    for (let failures = 0, left = lost(); left.length > 0; left = lost()) {
      try {
        const byLeader = Map.groupBy(left, ({ topic, partition }) => this.options.cluster.leaderOf(topic, partition));
        await Promise.all(Array.from(byLeader, ([leader, positions]) => this.locateAt(leader, positions)));
      } catch (error) {
        failures += 1;
        this.options.logger[levelOf(failures)]({ err: error, failures }, 'it is not known yet where to begin');
        await this.look();
        await this.wait(pauseOf(failures, PACE));
      }
    }
    this.locating = false;
    this.wake();
  }

  private async locateAt(leader: number, positions: readonly Position[]): Promise<void> {
    const timestamp = TIMESTAMP[this.options.from];
    const { responses } = await this.options.cluster.node(leader).send(API.listOffsets, {
      isolationLevel: READ_COMMITTED,
      topics: byTopic(positions, ({ partition }) => ({ partition, timestamp })),
    });
    for (const { topic, partitions } of responses) {
      for (const { partition, errorCode, offset } of partitions) {
        const position = this.positions.get(nameOf({ topic, partition }));
        if (errorCode !== CODE.none) throw new KafkaProtocolError(errorCode, `first offset of ${topic}/${partition}`);
        if (position?.lost) Object.assign(position, { next: BigInt(offset), lost: false });
      }
    }
    this.wake();
  }

  /** Learns who leads, and again while somebody is missing. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const { cluster, logger } = this.options;
    await cluster.refresh().catch((error: unknown) => logger.debug({ err: error }, 'no broker tells who leads'));
    this.looking = false;
    const isLeaderless = ({ topic, partition }: Position) => cluster.leaderOf(topic, partition) < 0;
    if ([...this.positions.values()].some(isLeaderless)) void this.wait(LEADERLESS_MS).then(() => this.wake());
    this.wake();
  }

  private wait(ms: number): Promise<unknown> {
    return delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

/** From another one on each time: the broker fills an answer in the order of the question. */
function rotated<T>(list: readonly T[], at = Math.floor(Math.random() * list.length)): T[] {
  return [...list.slice(at), ...list.slice(0, at)];
}
