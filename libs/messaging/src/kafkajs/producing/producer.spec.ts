import { describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import type { OutgoingRecord } from '../../kafka-port.js';
import type { Cluster } from '../cluster/cluster.js';
import type { ProduceRequest } from './produce-encoding.js';
import { KafkaProducer } from './producer.js';
import { API, CODE } from '../cluster/protocol.js';

const TOPIC = 'things.v1';
const PARTITIONS = 3;

interface PartitionLog {
  values: string[];
  /** The epoch of each producer and the sequence that it must send next (KIP-98). */
  producers: Map<string, { epoch: number; next: number }>;
}

/** Outcome of one Produce request. `stored`: stored and acknowledged; a number: refused with this error code. */
type ProduceOutcome = 'stored' | 'answer-lost' | 'request-lost' | 'lead-lost' | number;

/** One broker that leads all partitions and checks sequences as Kafka does; a test decides the outcome of requests per partition. */
class ProduceBroker {
  readonly logs: PartitionLog[] = Array.from({ length: PARTITIONS }, () => ({ values: [], producers: new Map() }));
  /** Used in order; the last one stays. */
  readonly outcomes = new Map<number, ProduceOutcome[]>();
  requests = 0;
  private identities = 0;

  get cluster(): Cluster {
    const node = {
      send: (api: unknown, request: ProduceRequest) => {
        if (api !== API.produce) throw new Error('an unexpected request');
        return this.produce(request);
      },
    };
    return {
      ensureMetadata: ([topic]: string[]) =>
        topic === TOPIC ? Promise.resolve() : Promise.reject(new Error(`topic ${topic} does not exist`)),
      refresh: () => Promise.resolve(),
      close: () => undefined,
      partitions: (topic: string) => (topic === TOPIC ? PARTITIONS : 0),
      leaderOf: () => 1,
      node: () => node,
      anyBroker: () => {
        this.identities += 1;
        return Promise.resolve({ errorCode: 0, producerId: String(this.identities), producerEpoch: 0 });
      },
      authorizationFailures: { note: () => undefined },
    } as unknown as Cluster;
  }

  private produce(request: ProduceRequest) {
    this.requests += 1;
    const answers = request.topicData.flatMap(({ topic: topicName, partitions }) => ({
      topicName,
      partitions: partitions.map((sent) => ({ partition: sent.partition, errorCode: this.take(sent) })),
    }));
    const lost = answers.some(({ partitions }) => partitions.some(({ errorCode }) => errorCode === null));
    return lost ? Promise.reject(new Error('the connection broke')) : Promise.resolve({ topics: answers });
  }

  /** The error code; null for no answer. */
  private take({
    partition,
    messages,
    ...identity
  }: ProduceRequest['topicData'][number]['partitions'][number]): number | null {
    const outcomes = this.outcomes.get(partition) ?? [];
    const outcome = (outcomes.length > 1 ? outcomes.shift() : outcomes[0]) ?? 'stored';
    if (outcome === 'request-lost') return null;
    if (typeof outcome === 'number' && outcome !== CODE.notEnoughReplicasAfterAppend) return outcome;
    const code = this.append(partition, identity, messages);
    if (outcome === 'answer-lost') return null;
    // The broker loses leadership while it waits for replicas; the next leader may have the appended batch.
    if (outcome === 'lead-lost') return CODE.notLeader;
    return typeof outcome === 'number' ? outcome : code;
  }

  private append(
    partition: number,
    { producerId, producerEpoch, firstSequence }: { producerId: string; producerEpoch: number; firstSequence: number },
    messages: readonly { value: Buffer | string | null }[],
  ): number {
    const log = this.logs[partition] as PartitionLog;
    const known = log.producers.get(producerId);
    if (known && producerEpoch < known.epoch) return CODE.invalidProducerEpoch;
    const next = known?.epoch === producerEpoch ? known.next : 0;
    if (firstSequence + messages.length === next) return CODE.duplicateSequence;
    if (firstSequence !== next) return CODE.outOfOrderSequence;
    log.producers.set(producerId, { epoch: producerEpoch, next: next + messages.length });
    log.values.push(...messages.map(({ value }) => String(value)));
    return CODE.none;
  }
}

const record = (partition: number, value: string, topic = TOPIC): OutgoingRecord => ({
  topic,
  partition,
  key: null,
  value,
  headers: {},
});

describe('an idempotent producer', () => {
  const open = async (outcomes: readonly (readonly [partition: number, outcomes: ProduceOutcome[]])[] = []) => {
    const broker = new ProduceBroker();
    for (const [partition, each] of outcomes) broker.outcomes.set(partition, each);
    const producer = new KafkaProducer(broker.cluster, { acks: 'all', idempotent: true });
    await producer.connect();
    return { broker, producer };
  };

  it('continues the sequence of a partition whose last batch was refused', async () => {
    const { broker, producer } = await open([[0, ['stored', CODE.messageTooLarge, 'stored']]]);
    await producer.send([record(0, 'a')]);
    await expect(producer.send([record(0, 'too large')])).rejects.toThrow('too large');
    await producer.send([record(0, 'b')]);
    expect(broker.logs[0]?.values).toEqual(['a', 'b']);
    expect(broker.logs[0]?.producers.size).toBe(1);
  });

  it('stores a batch once despite lost answers, reconnects and more than the usual attempts', async () => {
    const { broker, producer } = await open([[0, [...Array<'answer-lost'>(6).fill('answer-lost'), 'stored']]]);
    const sent = producer.send([record(0, 'a'), record(0, 'b')]).catch(async () => {
      await producer.connect();
      await producer.send([record(0, 'a'), record(0, 'b')]);
    });
    await producer.connect();
    await sent;
    expect(broker.logs[0]?.values).toEqual(['a', 'b']);
  });

  it('gives each record the result of its own partition', async () => {
    const { broker, producer } = await open([
      [0, [CODE.notEnoughReplicas]],
      [1, [CODE.invalidRecord]],
    ]);
    const records = [record(0, 'a'), record(1, 'b'), record(2, 'c'), record(0, 'd', 'unknown.v1'), record(2, 'e')];
    const results = await Promise.allSettled(producer.sendEach(records));
    expect(results.map((result) => (result.status === 'rejected' ? (result.reason as Error).name : 'stored'))).toEqual([
      'KafkaProtocolError',
      'RecordRefusedError',
      'stored',
      'Error',
      'stored',
    ]);
    expect(broker.logs.map(({ values }) => values)).toEqual([[], [], ['c', 'e']]);
  });

  it('sends to other partitions while the outcome of a batch is unknown, and delays later batches of its partition', async () => {
    const { broker, producer } = await open([[0, ['answer-lost']]]);
    const [first] = producer.sendEach([record(0, 'a')]);
    const second = producer.send([record(0, 'b')]);
    await producer.send([record(1, 'c')]);
    expect(broker.logs.map(({ values }) => values)).toEqual([['a'], ['c'], []]);
    broker.outcomes.set(0, ['stored']);
    await Promise.all([first, second]);
    expect(broker.logs[0]?.values).toEqual(['a', 'b']);
  });

  it('stops sending at its deadline, and then starts an epoch in which the broker rejects the pending batch', async () => {
    const { broker, producer } = await open([[0, ['stored', 'request-lost', 'stored']]]);
    await producer.send([record(0, 'a')]);
    let until = Infinity;
    const [ended] = producer.sendEach([record(0, 'b')], { until: () => until });
    await eventually('an attempt was made', () => broker.requests === 2);
    until = performance.now();
    await expect(ended).rejects.toThrow('the deadline to send the records has passed');
    await producer.send([record(0, 'c')]);
    expect(broker.logs[0]?.values).toEqual(['a', 'c']);
    expect([...(broker.logs[0]?.producers.values() ?? [])]).toEqual([{ epoch: 1, next: 1 }]);
  });

  it('starts a new epoch when the broker has lost earlier batches', async () => {
    const { broker, producer } = await open();
    await producer.send([record(0, 'a')]);
    for (const state of broker.logs[0]?.producers.values() ?? []) state.next = 0;
    await producer.send([record(0, 'b')]);
    expect(broker.logs[0]?.values).toEqual(['a', 'b']);
  });

  it('does not reuse the sequence of a batch that a broker may have appended before it lost leadership', async () => {
    const { broker, producer } = await open([[0, ['lead-lost', CODE.notLeader]]]);
    await expect(producer.send([record(0, 'a')])).rejects.toThrow('not the leader');
    broker.outcomes.delete(0);
    await producer.send([record(0, 'b')]);
    expect(broker.logs[0]?.values).toEqual(['a', 'b']);
  });

  it('abandons a batch after the usual attempts if it is certainly not stored', async () => {
    const { broker, producer } = await open([[0, [CODE.notEnoughReplicas]]]);
    await expect(producer.send([record(0, 'a')])).rejects.toThrow('replicas');
    expect(broker.requests).toBe(4);
    broker.outcomes.delete(0);
    await producer.send([record(0, 'b')]);
    expect(broker.logs[0]?.values).toEqual(['b']);
  });
});
