import { describe, expect, it, jest } from '@jest/globals';
import type { TopicSpecification } from '@po/contracts';
import kafkajs from 'kafkajs';
import { pino } from 'pino';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { TopicsJobSettings } from './config.js';
import { ensureTopics } from './ensure-topics.js';

const topic = (name: string, changes: Partial<TopicSpecification> = {}): TopicSpecification => ({
  topic: name,
  partitions: 3,
  retention: 600_000,
  maxMessageBytes: 1_000_000,
  ...changes,
});
const logger = pino({ level: 'silent' });
const { KafkaJSAggregateError, KafkaJSProtocolError } = kafkajs;
const refusalOf = (type: string, name = 'a') =>
  Object.assign(new KafkaJSProtocolError(`refused: ${type}`), { topic: name, type, retriable: false });

/** Calls `ensureTopics` on a cluster of one broker. */
const ensure = (existing: TopicSpecification[], manifest: TopicSpecification[], replication = 1) =>
  ensureTopics(new InMemoryKafka(existing), logger, { replication, waitMs: 0, manifest });

describe('the topics of the manifest', () => {
  it('are created if they are missing', async () => {
    const kafka = new InMemoryKafka([topic('a')]);
    const manifest = [topic('a'), topic('b', { partitions: 6 })];
    const first = await ensureTopics(kafka, logger, { replication: 1, manifest });
    expect(first).toEqual({ created: ['b'], differing: [] });
    const admin = await kafka.admin();
    expect(await admin.describe(['b'])).toMatchObject([{ partitions: 6, replication: 1 }]);
    expect(await ensureTopics(kafka, logger, { replication: 1, manifest })).toEqual({ created: [], differing: [] });
  });

  it.each<[Partial<TopicSpecification>, string[]]>([
    [{ partitions: 12 }, ['a: partitions is 3, wanted is 12']],
    [
      { ephemeral: true },
      ['a: retention.bytes is unknown, wanted is 1073741824', 'a: segment.bytes is unknown, wanted is 268435456'],
    ],
    [{ maxMessageBytes: 2_000_000 }, ['a: max.message.bytes is 1000000, wanted is 2000000']],
    [
      { retention: 800_000 },
      ['a: retention.ms is 600000, wanted is 800000', 'a: segment.ms is 150000, wanted is 200000'],
    ],
    [
      { retention: 'compact' },
      [
        'a: cleanup.policy is delete, wanted is compact',
        'a: segment.bytes is unknown, wanted is 67108864',
        'a: min.compaction.lag.ms is unknown, wanted is 3600000',
        'a: max.compaction.lag.ms is unknown, wanted is 86400000',
      ],
    ],
  ])('are reported and left unchanged if an existing topic differs in %j', async (changes, differing) => {
    expect(await ensure([topic('a')], [topic('a', changes)])).toEqual({ created: [], differing });
  });

  it('for requests and replies have one replica or `rpcReplication` replicas, regardless of the other topics', async () => {
    const manifest = [topic('a', { ephemeral: true })];
    const options = { replication: 3, waitMs: 0, manifest };
    const kafka = new InMemoryKafka(manifest);
    expect(await ensureTopics(kafka, logger, options)).toEqual({ created: [], differing: [] });
    expect(await ensureTopics(kafka, logger, { ...options, rpcReplication: 2 })).toEqual({
      created: [],
      differing: ['a: replication is 1, wanted is 2'],
    });
  });

  it('need no further brokers if none is missing, and their differences are still reported', async () => {
    const differing = ['a: replication is 1, wanted is 3', 'a: min.insync.replicas is 1, wanted is 2'];
    expect(await ensure([topic('a')], [topic('a')], 3)).toEqual({ created: [], differing });
  });

  it('are not created on fewer brokers than a partition needs replicas', async () => {
    await expect(ensure([topic('a')], [topic('a'), topic('b')], 3)).rejects.toThrow(
      '1 of 3 brokers are available after 0 ms: start the others, or set KAFKA_REPLICATION to fewer',
    );
  });

  it('are created later if the controller does not count a broker that has just started, or does not answer', async () => {
    const kafka = new InMemoryKafka([]);
    const [admin, other] = [await kafka.admin(), await kafka.admin()];
    const refusal = refusalOf('INVALID_REPLICATION_FACTOR');
    const createTopics = jest.spyOn(admin, 'createTopics').mockImplementationOnce(async (topics) => {
      await other.createTopics(topics.slice(0, 1));
      throw new KafkaJSAggregateError('Topic creation errors', [refusal]);
    });
    createTopics.mockRejectedValueOnce(new Error('the connection was lost'));
    jest.spyOn(kafka, 'admin').mockResolvedValue(admin);
    const manifest = [topic('a'), topic('b')];
    const result = await ensureTopics(kafka, logger, { replication: 1, manifest });
    expect(result).toEqual({ created: ['a', 'b'], differing: [] });
    expect(createTopics.mock.lastCall).toMatchObject([[{ topic: 'b' }]]);
    createTopics.mockRejectedValue(new KafkaJSAggregateError('Topic creation errors', [refusal]));
    await expect(
      ensureTopics(kafka, logger, { replication: 1, waitMs: 0, manifest: [topic('c')] }),
    ).rejects.toMatchObject({ message: 'topics could not be created within 0 ms', cause: refusal });
  });

  it('are not tried again if one is refused for another reason, and the error names each refused topic with its reason', async () => {
    const kafka = new InMemoryKafka([]);
    const admin = await kafka.admin();
    const errors = [refusalOf('INVALID_REPLICATION_FACTOR'), refusalOf('TOPIC_AUTHORIZATION_FAILED', 'b')];
    const refusal = new KafkaJSAggregateError('Topic creation errors', errors);
    jest.spyOn(admin, 'createTopics').mockRejectedValue(refusal);
    jest.spyOn(kafka, 'admin').mockResolvedValue(admin);
    await expect(
      ensureTopics(kafka, logger, { replication: 1, manifest: [topic('a'), topic('b')] }),
    ).rejects.toMatchObject({
      message: 'topics were refused: a: refused: INVALID_REPLICATION_FACTOR; b: refused: TOPIC_AUTHORIZATION_FAILED',
      cause: refusal,
    });
  });

  it('cannot be checked if no broker answers, and the error contains the cause', async () => {
    const kafka = new InMemoryKafka([]);
    kafka.down = true;
    await expect(ensureTopics(kafka, logger, { replication: 1, waitMs: 0 })).rejects.toMatchObject({
      message: expect.stringContaining('0 of 1 brokers are available'),
      cause: new Error('no broker answers'),
    });
  });
});

describe('the settings of the topics job', () => {
  const read = (environment: Record<string, string | undefined>) =>
    TopicsJobSettings.safeParse({ KAFKA_BROKERS: 'kafka:9092', ...environment });

  it('default to three replicas and to 60 s of waiting for brokers', () => {
    expect(read({}).data).toMatchObject({ KAFKA_REPLICATION: 3, KAFKA_BROKERS_WAIT_MS: 60_000 });
  });

  it.each([
    { KAFKA_REPLICATION: '0' },
    { KAFKA_REPLICATION: 'three' },
    { KAFKA_MIN_INSYNC_REPLICAS: '4' },
    { KAFKA_REPLICATION: '1', KAFKA_MIN_INSYNC_REPLICAS: '2' },
    { KAFKA_REPLICATION: '2', KAFKA_RPC_REPLICATION: '3' },
    { KAFKA_BROKERS_WAIT_MS: '-1' },
  ])('refuse %j', (environment) => {
    const [issue] = read(environment).error?.issues ?? [];
    expect(Object.keys(environment)).toContain(issue?.path[0]);
  });
});
