import type { TopicSpecification } from '@po/contracts';

/** A record to send. `partition` pins it; else the key decides; else the adapter picks one. */
export interface OutgoingRecord {
  topic: string;
  key: string | Buffer | null;
  value: Buffer | string | null;
  /** More than one value of a name are written one after another. */
  headers: Record<string, string | Buffer | Buffer[]>;
  partition?: number;
}

/** When a record came, in epoch milliseconds of this process's clock. */
interface Arrival {
  at: number;
  /** It was not on its partition yet then; null when that is not known, as of what was there before its consumer. */
  after: number | null;
}

export interface IncomingRecord {
  topic: string;
  partition: number;
  /** Decimal. */
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: Readonly<Record<string, string>>;
  /** The headers as bytes, to be copied to a dead-letter topic unchanged. */
  rawHeaders: Readonly<Record<string, Buffer | Buffer[]>>;
  /** Epoch milliseconds of its sender's clock. */
  timestamp: number;
  /** Of a record that a consumer was given. */
  arrival?: Arrival;
  /** Why the batch cannot be read. This record stands for all of the batch; its offset is that of the last one. */
  unreadable?: string;
}

/** Approximate memory that a record takes. */
export function bytesOf({ key, value, rawHeaders }: IncomingRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const name in rawHeaders) bytes += bytesOfHeader(rawHeaders[name]);
  return bytes;
}

/** About, for one of text. */
export function bytesOfHeader(header: string | Buffer | Buffer[] = ''): number {
  return Array.isArray(header) ? header.reduce((sum, { length }) => sum + length, 0) : header.length;
}

/**
 * The broker refused a record for what it is, and would refuse it each time: INVALID_RECORD (KIP-467), POLICY_VIOLATION. Nothing of the
 * call was stored on that record's partition; which of the call's records of that partition it was is not known.
 */
export class RecordRefusedError extends Error {
  override name = 'RecordRefusedError';
}

/** A record, or all of a call for one partition together, is larger than its topic takes. */
export class RecordTooLargeError extends RecordRefusedError {
  override name = 'RecordTooLargeError';

  constructor(options?: ErrorOptions) {
    super('the broker refused a record or batch as too large', options);
  }
}

export interface SendOptions {
  /**
   * Deadline of the send by `performance.now()`, read before each attempt because it may change meanwhile. A clock and not a signal,
   * because a process that was suspended continues before its timers fire.
   */
  until?: () => number;
}

export interface ProducerPort {
  /** Opens a connection, dropping an earlier one. Rejects when no broker answers; then nothing was sent. */
  connect(): Promise<void>;
  /**
   * Sends all in one network call per broker, in order per partition. Rejects with RecordRefusedError when that is why a partition's
   * records were not stored. After a rejection any part may have been stored or not.
   */
  send(records: readonly OutgoingRecord[]): Promise<void>;
  /**
   * As `send`, with a result for each record, in the order given: those of one partition are stored together or not at all, and no
   * partition waits for another. An idempotent producer tries until it knows whether they are stored (KIP-98), unless `until` ends it.
   */
  sendEach(records: readonly OutgoingRecord[], options?: SendOptions): Promise<void>[];
  /** The record's partition, as far as is known without asking; -1 for a topic that is not known. */
  partitionOf(record: OutgoingRecord): number;
  /** The id of the broker that leads the record's partition, as far as is known without asking; -1 for none. */
  brokerOf(record: OutgoingRecord): number;
  disconnect(): Promise<void>;
}

/** Callbacks of a consumer. None may block: `onRecords` returns at once. */
export interface ConsumerHandlers {
  /**
   * Records of one partition, and the next offset to read. The list is empty when there were none up to there: a transaction was aborted,
   * or compaction has removed them.
   */
  onRecords(records: readonly IncomingRecord[], read: { topic: string; partition: number; next: bigint }): void;
  /**
   * The partition is read from another offset now, which may be lower: its topic was recreated, its log was truncated after a leader
   * failed (KIP-320), or the next records were deleted. Earlier offsets are invalid.
   */
  onReset?(partition: { topic: string; partition: number }): void;
  /** The partitions assigned from now on; those that were assigned before continue at their position. */
  onAssigned?(assignment: readonly { topic: string; partition: number }[]): void;
  /** A rebalance began: no other member gets these partitions before the next assignment, which starts at the committed offsets. */
  onRebalancing?(): void;
  /**
   * No partition is assigned until the next assignment (KIP-429): the coordinator has not answered for a session, or removed this member.
   * Another one may handle the same records by now. Never called for a consumer of fixed partitions.
   */
  onPartitionsLost?(): void;
}

export interface ConsumerOptions {
  group: string;
  topics: readonly string[];
  /** Where a group without committed offsets starts. */
  from: 'earliest' | 'latest';
  /** group.instance.id (KIP-345): a restarted process with the same name gets its partitions at once, without waiting for the session. */
  instance?: string | undefined;
  /** Takes exactly these partitions of its topics, without joining the group: no rebalance can lose them, and nothing is committed. */
  partitions?: readonly number[];
}

/** How far a partition has been fetched. */
export interface FetchProgress {
  /** Offset of the next record to fetch; null until it is known where to begin. */
  position: bigint | null;
  /** The high watermark that the last fetch saw, and when that fetch began, in epoch milliseconds; null before the first one. */
  end: { offset: bigint; at: number } | null;
}

export interface ConsumerPort {
  start(handlers: ConsumerHandlers): Promise<void>;
  /** Commits the offset of the next record to read. */
  commit(offsets: readonly { topic: string; partition: number; offset: string }[]): Promise<void>;
  seek(topic: string, partition: number, offset: string): void;
  pause(topic: string, partitions?: readonly number[]): void;
  resume(topic: string, partitions?: readonly number[]): void;
  /** Null for a partition that is not held. */
  progress(topic: string, partition: number): FetchProgress | null;
  /** Epoch milliseconds of the last completed fetch, with or without records; now while there is nothing to fetch. */
  lastFetchAt(): number;
  /** Leaves the group. */
  stop(): Promise<void>;
}

interface PartitionOffsets {
  partition: number;
  low: string;
  high: string;
}

/** Where a partition lives: ids of brokers. */
export interface Placement {
  topic: string;
  partition: number;
  /** -1 for none. */
  leader: number;
  replicas: readonly number[];
  /** Those of the replicas that have all that is acknowledged. */
  inSync: readonly number[];
}

/** A topic as it exists in Kafka. */
export interface TopicDescription {
  topic: string;
  partitions: number;
  /** Of the partition that has the fewest. */
  replication: number;
  /** All that Kafka knows of, by its own names. */
  settings: Readonly<Record<string, string>>;
}

export interface AdminPort {
  topics(): Promise<string[]>;
  /** Those that are there now. */
  brokerCount(): Promise<number>;
  createTopics(topics: readonly (TopicSpecification & { replication: number; minInsync: number })[]): Promise<void>;
  describe(topics: readonly string[]): Promise<TopicDescription[]>;
  placement(topics: readonly string[]): Promise<Placement[]>;
  offsets(topic: string): Promise<PartitionOffsets[]>;
  committed(group: string, topic: string): Promise<{ partition: number; offset: string }[]>;
  close(): Promise<void>;
}

/** Everything this product asks of Kafka. Two adapters pass one contract suite: KafkaJS and in-memory. */
export interface KafkaPort {
  producer(options: { acks: 'all' | 'leader'; idempotent?: boolean }): ProducerPort;
  consumer(options: ConsumerOptions): ConsumerPort;
  admin(): Promise<AdminPort>;
  /** The id of the broker that leads each partition of a topic, -1 for none. Rejects when no broker answers. */
  leaders(topic: string): Promise<readonly number[]>;
  /** Operations that brokers denied last: `read topic po.state.v1`. */
  authorizationFailures(): readonly string[];
}

/** Resolves when all results of `sendEach` are known and none failed. Rejects with a refusal, if there is one, else with the first failure. */
export async function requireAllStored(results: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(results);
  const failures = settled.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw failures.find((error) => error instanceof RecordRefusedError) ?? failures[0];
}
