import { setTimeout as delay } from 'node:timers/promises';
import { backOffMs } from '@po/platform';
import {
  type OutgoingRecord,
  type ProducerPort,
  RecordRefusedError,
  RecordTooLargeError,
  type SendOptions,
  requireAllStored,
} from '../../kafka-port.js';
import { byTopic } from '../group/assignments.js';
import type { Cluster } from '../cluster/cluster.js';
import { nameOf } from '../group/assignor.js';
import { type Node, NotConnectedError } from '../cluster/node.js';
import { kafkaJsModule } from '../patches/patch-kafkajs.js';
import { type Identity, type RecordBatch, Sequences } from './sequences.js';
import { API, CODE, KafkaProtocolError, requireNoError } from '../cluster/protocol.js';

const murmur2 = kafkaJsModule<(key: string | Buffer) => number>('producer/partitioners/default/murmur2');

/** Time that a broker may wait for its replicas. */
const REPLICATION_TIMEOUT_MS = 5_000;
const RESPONSE_TIMEOUT_MS = REPLICATION_TIMEOUT_MS + 1_000;
/** Maximum number of attempts. A moved leader is known after one failure. */
const ATTEMPTS = 4;
/** The longest pause applies to a batch that is retried until its outcome is known. */
const RETRY = { initialMs: 50, maxMs: 2_000 };
const IDENTITY_RETRY = { initialMs: 50, maxMs: 500 };
const IDENTITY_ATTEMPTS = 20;
const TRANSACTION_TIMEOUT_MS = 60_000;

/** Retriable errors: another leader, or the return of replicas, may resolve them. */
const RETRIABLE: readonly number[] = [
  CODE.unknownTopicOrPartition,
  CODE.leaderNotAvailable,
  CODE.notLeader,
  CODE.requestTimedOut,
  CODE.networkException,
  CODE.notEnoughReplicas,
  CODE.notEnoughReplicasAfterAppend,
  CODE.storageError,
  CODE.fencedLeaderEpoch,
  CODE.unknownLeaderEpoch,
  CODE.corruptMessage,
];
/** After these errors a batch may still be stored; it is retried until the outcome is known. */
const UNKNOWN_OUTCOME: readonly number[] = [
  CODE.unknownServerError,
  CODE.requestTimedOut,
  CODE.networkException,
  CODE.notEnoughReplicasAfterAppend,
  CODE.storageError,
];
/** After these errors too: the broker may have appended the batch and then lost leadership. The next leader usually knows soon. */
const LEADERSHIP_LOST: readonly number[] = [CODE.notLeader, CODE.unknownTopicOrPartition];
/** The broker does not know the preceding sequence: a new epoch starts at sequence 0 (KIP-360). */
const OUT_OF_SEQUENCE: readonly number[] = [CODE.outOfOrderSequence, CODE.invalidProducerEpoch, CODE.unknownProducerId];
const NOT_READY: readonly number[] = [CODE.coordinatorLoading, CODE.coordinatorNotAvailable, CODE.notCoordinator];
const TOO_LARGE: readonly number[] = [CODE.messageTooLarge, CODE.recordListTooLarge];
/** The record itself is refused. Missing or forbidden topics are not included: once created or allowed, they accept the record. */
const REFUSED: readonly number[] = [CODE.invalidRecord, CODE.policyViolation];

interface ProducerOptions {
  acks: 'all' | 'leader';
  idempotent?: boolean;
}

/** Sends records to the leaders of their partitions, independently per broker, and retries failed batches at the current leaders. */
export class KafkaProducer implements ProducerPort {
  private readonly sequences = new Sequences(() => this.initProducerId());
  private closed = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ProducerOptions,
  ) {}

  async connect(): Promise<void> {
    await this.cluster.refresh();
    if (this.options.idempotent) await this.sequences.identity();
  }

  brokerOf(record: OutgoingRecord): number {
    const partition = this.partitionOf(record);
    return partition < 0 ? -1 : this.cluster.leaderOf(record.topic, partition);
  }

  /** The default partitioner of Kafka clients, so that a key's partition does not depend on the sender. */
  partitionOf({ topic, key, partition }: OutgoingRecord): number {
    const partitions = this.cluster.partitions(topic);
    if (partitions === 0) return -1;
    if (partition !== undefined) return partition;
    return key === null ? Math.floor(Math.random() * partitions) : (murmur2(key) & 0x7fffffff) % partitions;
  }

  send(records: readonly OutgoingRecord[]): Promise<void> {
    return requireAllStored(this.sendEach(records));
  }

  sendEach(records: readonly OutgoingRecord[], { until = () => Infinity }: SendOptions = {}): Promise<void>[] {
    const topics = Array.from(new Set(records.map(({ topic }) => topic)));
    if (topics.every((topic) => this.cluster.partitions(topic) > 0)) {
      // The current metadata is used during the refresh.
      this.cluster.ensureMetadata(topics).catch(() => undefined);
      return this.begin(records, until).map((batch) => (batch as RecordBatch).stored.promise);
    }
    const known = Promise.allSettled(topics.map((topic) => this.cluster.ensureMetadata([topic])));
    const started = known.then((answers) => {
      const errors = new Map(
        answers.map((answer, index) => [topics[index], answer.status === 'rejected' ? answer.reason : null]),
      );
      return { errors, batches: this.begin(records, until) };
    });
    return records.map(async ({ topic }, index) => {
      const { errors, batches } = await started;
      const batch = batches[index];
      if (!batch) throw errors.get(topic) as Error;
      return batch.stored.promise;
    });
  }

  disconnect(): Promise<void> {
    this.closed = true;
    this.cluster.close();
    return Promise.resolve();
  }

  // A newly started cluster refuses this request for a while.
  private async initProducerId(): Promise<Identity> {
    for (let failures = 1; ; failures += 1) {
      const answer = await this.cluster.anyBroker(API.initProducerId, { transactionTimeout: TRANSACTION_TIMEOUT_MS });
      const mayBeAskedAgain = NOT_READY.includes(answer.errorCode) && failures < IDENTITY_ATTEMPTS;
      if (!mayBeAskedAgain) {
        requireNoError(answer.errorCode, 'identity of an idempotent producer');
        return { producerId: answer.producerId, producerEpoch: answer.producerEpoch };
      }
      await delay(backOffMs(failures, IDENTITY_RETRY));
    }
  }

  /** Starts sending one batch per partition. Returns the batch of each record, null for an unknown topic. */
  private begin(records: readonly OutgoingRecord[], until: () => number): (RecordBatch | null)[] {
    const batches = new Map<string, RecordBatch>();
    const ofRecords = records.map((record) => {
      const { topic } = record;
      const partition = this.partitionOf(record);
      if (partition < 0) return null;
      const name = nameOf({ topic, partition });
      const batch: RecordBatch = batches.get(name) ?? {
        topic,
        partition,
        name,
        records: [],
        stored: Promise.withResolvers<void>(),
        maybeStored: false,
        mustBeKnown: false,
        producerId: '-1',
        producerEpoch: 0,
        firstSequence: 0,
      };
      batch.records.push(record);
      batches.set(name, batch);
      return batch;
    });
    const all = [...batches.values()];
    if (!this.options.idempotent) void this.deliver(all, until);
    else for (const [ready, group] of this.sequences.queue(all)) void ready.then(() => this.number(group, until));
    return ofRecords;
  }

  private async number(batches: readonly RecordBatch[], until: () => number): Promise<void> {
    try {
      await this.sequences.number(batches);
    } catch (error) {
      for (const batch of batches) this.sequences.end(batch, error);
      return;
    }
    await this.deliver(batches, until);
  }

  /** Sends each batch until it is stored or abandoned. */
  private async deliver(batches: readonly RecordBatch[], until: () => number, failures = 1): Promise<void> {
    const byLeader = Map.groupBy(batches, ({ topic, partition }) => this.cluster.leaderOf(topic, partition));
    await Promise.all(
      Array.from(byLeader, async ([leader, group]) => {
        const errors = await this.sendTo(leader, group, until);
        const left = group.filter((batch) => this.remains(batch, errors.get(batch) ?? null, failures));
        if (left.length === 0) return;
        await delay(backOffMs(failures, RETRY));
        // If no broker answers, the next attempt fails too and reports why.
        await this.cluster.refresh().catch(() => undefined);
        await this.deliver(left, until, failures + 1);
      }),
    );
  }

  /** Whether to retry the batch. If not, its outcome is reported. */
  private remains(batch: RecordBatch, error: Error | null, failures: number): boolean {
    const code = error instanceof KafkaProtocolError ? error.code : null;
    if (error === null) {
      this.sequences.end(batch, null);
      return false;
    }
    const retriable = code === null ? !(error instanceof EndedError) : RETRIABLE.includes(code);
    batch.mustBeKnown ||= code === null ? error instanceof UnansweredError : UNKNOWN_OUTCOME.includes(code);
    batch.maybeStored ||= batch.mustBeKnown || (code !== null && LEADERSHIP_LOST.includes(code));
    const outOfSequence = code !== null && OUT_OF_SEQUENCE.includes(code);
    if (outOfSequence) this.sequences.renumber(batch);
    const mustBeKnown = Boolean(this.options.idempotent) && batch.mustBeKnown;
    if ((retriable || outOfSequence) && !this.closed && (failures < ATTEMPTS || mustBeKnown)) return true;
    this.sequences.end(batch, asRefusal(error, code));
    return false;
  }

  /** The outcome of each batch: null if it is stored. */
  private async sendTo(
    leader: number,
    batches: readonly RecordBatch[],
    until: () => number,
  ): Promise<Map<RecordBatch, Error | null>> {
    const left = until() - performance.now();
    const all = (error: Error) => new Map(batches.map((batch) => [batch, error]));
    if (left <= 0) return all(new EndedError('the deadline to send the records has passed'));
    let node: Node;
    try {
      node = this.cluster.node(leader);
    } catch (error) {
      return all(error as Error);
    }
    try {
      const { topics } = await node.send(API.produce, this.request(batches), Math.min(RESPONSE_TIMEOUT_MS, left));
      const codes = new Map(
        topics.flatMap(({ topicName, partitions }) =>
          partitions.map(({ partition, errorCode }) => [nameOf({ topic: topicName, partition }), errorCode]),
        ),
      );
      return new Map(batches.map((batch) => [batch, this.errorOf(batch, codes.get(batch.name))]));
    } catch (error) {
      if (error instanceof NotConnectedError) return all(error);
      return all(new UnansweredError(`broker ${leader} did not acknowledge records`, { cause: error }));
    }
  }

  private errorOf({ topic, name }: RecordBatch, code: number | undefined): Error | null {
    this.cluster.authorizationFailures.note(code ?? CODE.networkException, 'write to', 'topic', topic);
    if (code === undefined) return new UnansweredError(`no answer for ${name}`);
    if (code === CODE.none || code === CODE.duplicateSequence) return null;
    return new KafkaProtocolError(code, `records for ${name}`);
  }

  private request(batches: readonly RecordBatch[]) {
    return {
      acks: this.options.acks === 'all' ? -1 : 1,
      timeout: REPLICATION_TIMEOUT_MS,
      topicData: byTopic(batches, ({ partition, producerId, producerEpoch, firstSequence, records }) => ({
        partition,
        producerId,
        producerEpoch,
        firstSequence,
        messages: records,
      })),
    };
  }
}

/** It is unknown whether the batch is stored. */
class UnansweredError extends Error {
  override name = 'UnansweredError';
}

/** The sender's deadline has passed. */
class EndedError extends Error {
  override name = 'EndedError';
}

function asRefusal(error: Error, code: number | null): Error {
  if (code !== null && TOO_LARGE.includes(code)) return new RecordTooLargeError({ cause: error });
  if (code !== null && REFUSED.includes(code)) return new RecordRefusedError(error.message, { cause: error });
  return error;
}
