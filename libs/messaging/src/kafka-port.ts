import type { TopicSpecification } from '@po/contracts';

/** A record to send. `partition` sets its partition; by default the key decides, and without a key the adapter. */
export interface OutgoingRecord {
  topic: string;
  key: string | Buffer | null;
  value: Buffer | string | null;
  /** Several values of a name become separate headers, in order. */
  headers: Record<string, string | Buffer | Buffer[]>;
  partition?: number;
}

/** Arrival of a record, in epoch milliseconds of this process's clock. */
interface Arrival {
  at: number;
  /** Latest time at which the record is known to be absent; null if unknown, as for records older than their consumer. */
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
  /** Epoch milliseconds of the sender's clock. */
  timestamp: number;
  /** Present if a consumer delivered the record. */
  arrival?: Arrival;
  /** Reason why the batch cannot be read. This record represents the whole batch and has the batch's last offset. */
  unreadable?: string;
}

/** Approximate memory of a record, in bytes. */
export function bytesOf({ key, value, rawHeaders }: IncomingRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const name in rawHeaders) bytes += bytesOfHeader(rawHeaders[name]);
  return bytes;
}

/** Size of a header in bytes; approximate for text, whose UTF-16 units are counted. */
export function bytesOfHeader(header: string | Buffer | Buffer[] = ''): number {
  return Array.isArray(header) ? header.reduce((sum, { length }) => sum + length, 0) : header.length;
}

/**
 * The broker refused a record because of its content and would refuse it again: INVALID_RECORD (KIP-467), POLICY_VIOLATION. None of the
 * call's records for that partition was stored; which of them was refused is unknown.
 */
export class RecordRefusedError extends Error {
  override name = 'RecordRefusedError';
}

/** A record, or all records of a call for one partition together, exceed the size limit of the topic. */
export class RecordTooLargeError extends RecordRefusedError {
  override name = 'RecordTooLargeError';

  constructor(options?: ErrorOptions) {
    super('the broker refused a record or batch as too large', options);
  }
}

export interface SendOptions {
  /**
   * Deadline of the send by `performance.now()`, read before each attempt because it may change. A clock instead of a signal, because a
   * suspended process resumes before its timers fire.
   */
  until?: () => number;
}

export interface ProducerPort {
  /** Opens a connection, dropping an earlier one. Rejects if no broker answers; then nothing was sent. */
  connect(): Promise<void>;
  /**
   * Sends all records in one network call per broker, in order per partition. Rejects with RecordRefusedError if a broker refused the
   * records of a partition. After a rejection, any part may or may not be stored.
   */
  send(records: readonly OutgoingRecord[]): Promise<void>;
  /**
   * Like `send`, with one result per record, in the given order. Records of one partition are stored all or none, and no partition waits
   * for another. An idempotent producer retries until it knows whether they are stored (KIP-98), but not beyond `until`.
   */
  sendEach(records: readonly OutgoingRecord[], options?: SendOptions): Promise<void>[];
  /** The record's partition according to cached metadata; -1 for an unknown topic. */
  partitionOf(record: OutgoingRecord): number;
  /** Broker id of the partition leader according to cached metadata; -1 if there is none. */
  brokerOf(record: OutgoingRecord): number;
  disconnect(): Promise<void>;
}

/** Callbacks of a consumer. None may block; `onRecords` must return at once. */
export interface ConsumerHandlers {
  /**
   * Records of one partition, and the next offset to read. The list is empty if there were no records up to that offset: a transaction was
   * aborted, or compaction removed them.
   */
  onRecords(records: readonly IncomingRecord[], read: { topic: string; partition: number; next: bigint }): void;
  /**
   * The partition is now read from another offset, which may be lower: its topic was recreated, its log was truncated after a leader
   * failure (KIP-320), or the next records were deleted. Earlier offsets are invalid.
   */
  onReset?(partition: { topic: string; partition: number }): void;
  /** The new assignment. Partitions that were already assigned continue at their position. */
  onAssigned?(assignment: readonly { topic: string; partition: number }[]): void;
  /** A rebalance began: no other member gets these partitions before the next assignment, which starts at the committed offsets. */
  onRebalancing?(): void;
  /**
   * All partitions are lost until the next assignment (KIP-429): the coordinator has not answered for a session, or removed this member.
   * Another member may already handle the same records. Never called for a consumer of fixed partitions.
   */
  onPartitionsLost?(): void;
}

export interface ConsumerOptions {
  group: string;
  topics: readonly string[];
  /** Start position of a group without committed offsets. */
  from: 'earliest' | 'latest';
  /** group.instance.id (KIP-345): a restarted process with the same id gets its partitions at once, before its old session ends. */
  instance?: string | undefined;
  /** Reads exactly these partitions without joining the group: no rebalance can take them away, and nothing is committed. */
  partitions?: readonly number[];
}

/** How far a partition has been fetched. */
export interface FetchProgress {
  /** Offset of the next record to fetch; null until the start offset is known. */
  position: bigint | null;
  /**
   * Last stable offset of the last fetch, which open transactions keep below the high watermark, and the start time of that fetch in epoch
   * milliseconds; null before the first fetch. A record between the two may become readable later, but it is not new.
   */
  end: { offset: bigint; highWatermark: bigint; at: number } | null;
}

export interface ConsumerPort {
  start(handlers: ConsumerHandlers): Promise<void>;
  /** Commits the offset of the next record to read. */
  commit(offsets: readonly { topic: string; partition: number; offset: string }[]): Promise<void>;
  seek(topic: string, partition: number, offset: string): void;
  pause(topic: string, partitions?: readonly number[]): void;
  resume(topic: string, partitions?: readonly number[]): void;
  /** Null for a partition that is not assigned. */
  progress(topic: string, partition: number): FetchProgress | null;
  /** Epoch milliseconds of the last completed fetch, with or without records; the current time while there is nothing to fetch. */
  lastFetchAt(): number;
  /** Epoch milliseconds at which the last fetch began; the current time while there is nothing to fetch. */
  lastAttemptAt(): number;
  /** Leaves the group. */
  stop(): Promise<void>;
}

interface PartitionOffsets {
  partition: number;
  low: string;
  high: string;
}

/** A topic as it exists in Kafka. */
export interface TopicDescription {
  topic: string;
  partitions: number;
  /** The lowest number of replicas of any partition. */
  replication: number;
  /** All topic settings by their Kafka names. */
  settings: Readonly<Record<string, string>>;
}

export interface AdminPort {
  topics(): Promise<string[]>;
  /** Number of brokers that are currently up. */
  brokerCount(): Promise<number>;
  createTopics(topics: readonly (TopicSpecification & { replication: number; minInsync: number })[]): Promise<void>;
  describe(topics: readonly string[]): Promise<TopicDescription[]>;
  offsets(topic: string): Promise<PartitionOffsets[]>;
  committed(group: string, topic: string): Promise<{ partition: number; offset: string }[]>;
  close(): Promise<void>;
}

/** Everything this product needs from Kafka. Two adapters pass the same contract suite: KafkaJS and in-memory. */
export interface KafkaPort {
  producer(options: { acks: 'all' | 'leader'; idempotent?: boolean }): ProducerPort;
  consumer(options: ConsumerOptions): ConsumerPort;
  admin(): Promise<AdminPort>;
  /** Broker id of the leader of each partition of a topic, -1 if there is none. Rejects if no broker answers. */
  leaders(topic: string): Promise<readonly number[]>;
  /** Operations that brokers denied at the last attempt, at most ten minutes ago, such as `read topic po.state.v1`. */
  authorizationFailures(): readonly string[];
}

/** Waits for all results of `sendEach`. Rejects with the first refusal, else with the first failure, if there is any. */
export async function requireAllStored(results: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(results);
  const failures = settled.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw failures.find((error) => error instanceof RecordRefusedError) ?? failures[0];
}
