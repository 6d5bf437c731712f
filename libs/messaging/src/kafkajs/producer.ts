import { setTimeout as delay } from 'node:timers/promises';
import { pauseOf } from '@po/platform';
import { type OutgoingRecord, type ProducerPort, RecordTooLargeError } from '../kafka-port.js';
import { byTopic } from './assignments.js';
import type { Cluster } from './cluster.js';
import { nameOf } from './dealing.js';
import { kafkaJsModule } from './patches/patch-kafkajs.js';
import { API, CODE, KafkaProtocolError, requireNoError } from './protocol.js';

const murmur2 = kafkaJsModule<(key: string | Buffer) => number>('producer/partitioners/default/murmur2');

/** So long a broker may wait for its replicas. */
const REPLICAS_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = REPLICAS_WITHIN_MS + 1_000;
/** A leader that moved is known after one failure. */
const ATTEMPTS = 4;
const PACE = { firstMs: 50, lastMs: 500 };
const IDENTITY_ATTEMPTS = 20;
const TRANSACTION_TIMEOUT_MS = 60_000;

/** What may be well the next time, at another leader or when replicas are back. */
const PASSING: readonly number[] = [
  ...[CODE.unknownTopicOrPartition, CODE.leaderNotAvailable, CODE.notLeader, CODE.requestTimedOut],
  ...[CODE.networkException, CODE.notEnoughReplicas, CODE.notEnoughReplicasAfterAppend, CODE.storageError],
  ...[CODE.fencedLeaderEpoch, CODE.unknownLeaderEpoch],
];
const NOT_READY: readonly number[] = [CODE.coordinatorLoading, CODE.coordinatorNotAvailable, CODE.notCoordinator];
const TOO_LARGE: readonly number[] = [CODE.messageTooLarge, CODE.recordListTooLarge];

/** Records of one partition, which are stored together or not at all. */
interface Part {
  topic: string;
  partition: number;
  records: OutgoingRecord[];
  firstSequence: number;
}

interface Refused {
  part: Part;
  error: Error;
}

interface ProducerOptions {
  acks: 'all' | 'leader';
  idempotent?: boolean;
}

/** Sends records to the leaders of their partitions, to each broker on its own, and again to others what some did not take. */
export class KafkaProducer implements ProducerPort {
  private producerId = '-1';
  private producerEpoch = 0;
  private sequences = new Map<string, number>();

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ProducerOptions,
  ) {}

  async connect(): Promise<void> {
    await this.cluster.refresh();
    if (!this.options.idempotent) return;
    // What an earlier identity sent may be stored or not, and its numbers with it: a new one begins at 0.
    const { producerId, producerEpoch } = await this.newIdentity();
    this.producerId = producerId;
    this.producerEpoch = producerEpoch;
    this.sequences = new Map();
  }

  // A cluster that has just begun says for a while that it is not ready to give one.
  private async newIdentity(): Promise<{ producerId: string; producerEpoch: number }> {
    for (let failures = 1; ; failures += 1) {
      const answer = await this.cluster.anyone(API.initProducerId, { transactionTimeout: TRANSACTION_TIMEOUT_MS });
      const mayBeAskedAgain = NOT_READY.includes(answer.errorCode) && failures < IDENTITY_ATTEMPTS;
      if (!mayBeAskedAgain) {
        requireNoError(answer.errorCode, 'identity of an idempotent producer');
        return answer;
      }
      await delay(pauseOf(failures, PACE));
    }
  }

  brokerOf(record: OutgoingRecord): number {
    if (this.cluster.partitions(record.topic) === 0) return -1;
    return this.cluster.leaderOf(record.topic, this.partitionOf(record));
  }

  async send(records: readonly OutgoingRecord[]): Promise<void> {
    await this.cluster.know(new Set(records.map(({ topic }) => topic)));
    let left = this.partsOf(records);
    for (let failures = 1; ; failures += 1) {
      const byLeader = Map.groupBy(left, ({ topic, partition }) => this.cluster.leaderOf(topic, partition));
      const refused = (await Promise.all(Array.from(byLeader, ([leader, parts]) => this.sendTo(leader, parts)))).flat();
      if (refused.length === 0) return;
      const fatal = refused.find(({ error }) => !mayPass(error));
      if (fatal) throw isTooLarge(fatal.error) ? new RecordTooLargeError({ cause: fatal.error }) : fatal.error;
      if (failures === ATTEMPTS) throw (refused[0] as Refused).error;
      left = refused.map(({ part }) => part);
      await delay(pauseOf(failures, PACE));
      // When nobody answers, the next attempt fails too and says why.
      await this.cluster.refresh().catch(() => undefined);
    }
  }

  disconnect(): Promise<void> {
    this.cluster.close();
    return Promise.resolve();
  }

  /** As every client of Kafka chooses: a key's partition is the same whoever sends. */
  private partitionOf({ topic, key, partition }: OutgoingRecord): number {
    if (partition !== undefined) return partition;
    const partitions = this.cluster.partitions(topic);
    return key === null ? Math.floor(Math.random() * partitions) : (murmur2(key) & 0x7fffffff) % partitions;
  }

  private partsOf(records: readonly OutgoingRecord[]): Part[] {
    const parts = new Map<string, Part>();
    for (const record of records) {
      const { topic } = record;
      const partition = this.partitionOf(record);
      const name = nameOf({ topic, partition });
      const part = parts.get(name);
      if (part) part.records.push(record);
      else parts.set(name, { topic, partition, records: [record], firstSequence: this.sequences.get(name) ?? 0 });
    }
    if (this.options.idempotent) {
      for (const [name, part] of parts) this.sequences.set(name, part.firstSequence + part.records.length);
    }
    return [...parts.values()];
  }

  /** What that broker did not take, with the reason of each part. */
  private async sendTo(leader: number, parts: readonly Part[]): Promise<Refused[]> {
    try {
      const { topics } = await this.cluster.node(leader).send(API.produce, this.request(parts), ANSWER_WITHIN_MS);
      const codes = new Map(
        topics.flatMap(({ topicName, partitions }) =>
          partitions.map(({ partition, errorCode }) => [nameOf({ topic: topicName, partition }), errorCode]),
        ),
      );
      return parts.flatMap((part) => {
        const name = nameOf(part);
        const code = codes.get(name);
        this.cluster.refusals.note(code ?? CODE.networkException, 'write to', 'topic', part.topic);
        if (code === undefined) return [{ part, error: new UnansweredError(`no answer for ${name}`) }];
        if (code === CODE.none || code === CODE.duplicateSequence) return [];
        return [{ part, error: new KafkaProtocolError(code, `records for ${name}`) }];
      });
    } catch (error) {
      const unanswered = new UnansweredError(`broker ${leader} did not take records`, { cause: error });
      return parts.map((part) => ({ part, error: unanswered }));
    }
  }

  private request(parts: readonly Part[]) {
    return {
      acks: this.options.acks === 'all' ? -1 : 1,
      timeout: REPLICAS_WITHIN_MS,
      ...{ producerId: this.producerId, producerEpoch: this.producerEpoch },
      topicData: byTopic(parts, ({ partition, firstSequence, records }) => ({
        ...{ partition, firstSequence },
        messages: records,
      })),
    };
  }
}

/** Nobody said whether it is stored. */
class UnansweredError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnansweredError';
  }
}

const codeOf = (error: Error): number | null => (error instanceof KafkaProtocolError ? error.code : null);

function mayPass(error: Error): boolean {
  return error instanceof UnansweredError || PASSING.includes(codeOf(error) ?? CODE.none);
}

function isTooLarge(error: Error): boolean {
  return TOO_LARGE.includes(codeOf(error) ?? CODE.none);
}
