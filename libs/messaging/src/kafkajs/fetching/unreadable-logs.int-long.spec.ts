import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import kafkajs, { type Admin } from 'kafkajs';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { kafkaBrokers } from '@po/testing/stores';
import type { IncomingRecord, KafkaPort } from '@po/messaging';
import { readTopic } from '../../dead-letters/read-topic.js';
import { connectKafka } from '../adapter.js';
import { waitForLeaders } from '../cluster/admin.js';

const { CompressionTypes, Kafka, logLevel } = kafkajs;
const codecs = kafkajs.CompressionCodecs as Record<number, () => object>;
const MIB = 1024 * 1024;

let kafka: KafkaPort;
let client: InstanceType<typeof Kafka>;
let admin: Admin;

beforeAll(async () => {
  kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'unreadable', pino({ level: 'silent' }));
  client = new Kafka({ brokers: kafkaBrokers(), logLevel: logLevel.NOTHING });
  admin = client.admin();
  await admin.connect();
});
afterAll(() => admin.disconnect());

async function make(settings: Record<string, string>, partitions = 1): Promise<string> {
  const topic = `unreadable-${randomUUID()}`;
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await admin.createTopics({ topics: [{ topic, numPartitions: partitions, configEntries }], waitForLeaders: false });
  await waitForLeaders(admin, [topic]);
  return topic;
}

/** Sends with a new producer, which has a new id: the cleaner keeps the last batch of each producer id, emptied (KAFKA-5490). */
async function sendAlone(topic: string, value: string): Promise<void> {
  const producer = client.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  await producer.send({ topic, messages: [{ key: 'k', value }] });
  await producer.disconnect();
}

/** Starts a consumer of a topic; returns its records and its position. */
async function reading(topic: string, group = randomUUID()) {
  const records: IncomingRecord[] = [];
  const consumer = kafka.consumer({ group, topics: [topic], from: 'earliest' });
  await consumer.start({
    onRecords: (some) => records.push(...some),
  });
  return { records, consumer, position: (partition = 0) => consumer.progress(topic, partition)?.position };
}

it('a consumer has reached the end while the further records are in an open transaction', async () => {
  const topic = await make({});
  await sendAlone(topic, 'first');
  const producer = client.producer({ idempotent: true, maxInFlightRequests: 1, transactionalId: topic });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: [{ key: 'k', value: 'open' }] });
  const { records, consumer } = await reading(topic);
  await eventually('it has read all that it may', () => records.length === 1 && consumer.progress(topic, 0)?.end);
  expect(consumer.progress(topic, 0)).toMatchObject({ position: 1n, end: { offset: 1n } });
  await transaction.commit();
  await eventually('it reads the rest', () => records.length === 2);
  await consumer.stop();
  await producer.disconnect();
});

it('a consumer reads past emptied batches of a compacted topic', async () => {
  const topic = await make({
    'cleanup.policy': 'compact',
    'min.cleanable.dirty.ratio': '0.001',
    'max.compaction.lag.ms': '100',
    'segment.bytes': String(MIB),
    'segment.ms': '200',
  });
  // Each record has its own segment and is replaced by the next record. A fetch returns at most one segment.
  for (let sent = 0; sent < 4; sent += 1) await sendAlone(topic, String(sent).repeat(0.6 * MIB));
  await sendAlone(topic, 'last');
  const left = async () => {
    const offsets: string[] = [];
    await readTopic(kafka, topic, ({ offset }) => void offsets.push(offset));
    return offsets;
  };
  const isCompacted = async () => !(await left()).includes('0');
  await eventually('the first record is compacted away', isCompacted);
  expect((await left()).at(-1)).toBe('4');
  const { consumer, position } = await reading(topic);
  await eventually('a new group comes to the end', () => position() === 5n);
  await consumer.stop();
});

describe('batches that cannot be read', () => {
  const BROKEN_MEMBER = Buffer.from('1f8b08ff', 'hex');

  /** Sends a gzip batch to partition 0, with the bytes of `also` appended. */
  async function sendGzip(topic: string, values: readonly string[], also = Buffer.alloc(0)): Promise<void> {
    const compress = async ({ buffer }: { buffer: Buffer }) => Buffer.concat([await promisify(gzip)(buffer), also]);
    codecs[CompressionTypes.GZIP] = () => ({ compress });
    const producer = client.producer();
    await producer.connect();
    const messages = values.map((value) => ({ value, partition: 0 }));
    await producer.send({ topic, compression: CompressionTypes.GZIP, messages });
    await producer.disconnect();
  }

  it('are reported by their last offset, and block no partition', async () => {
    const topic = await make({}, 2);
    await sendGzip(topic, ['a']);
    await sendGzip(topic, ['x', 'x', 'x'], BROKEN_MEMBER);
    // 360 MiB, in 358 KiB.
    await sendGzip(
      topic,
      Array.from({ length: 36 }, () => 'x'.repeat(10 * MIB)),
    );
    await sendGzip(topic, ['b']);
    const producer = client.producer();
    await producer.connect();
    await producer.send({ topic, messages: [{ value: 'c', partition: 1 }] });
    await producer.disconnect();
    const before = process.memoryUsage().rss;
    const { consumer, records } = await reading(topic);
    await eventually('all readable records are read', () => records.length === 5);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB);
    await consumer.stop();
    const seen = records.map(({ partition, offset, value, unreadable }) => [
      partition,
      offset,
      String(value),
      unreadable,
    ]);
    expect(seen.filter(([partition]) => partition === 0)).toEqual([
      [0, '0', 'a', undefined],
      [0, '3', 'null', expect.stringMatching(/^offsets 1 to 3 cannot be read: /)],
      [0, '39', 'null', 'offsets 4 to 39 cannot be read: a batch may have at most 32 MiB uncompressed'],
      [0, '40', 'b', undefined],
    ]);
    expect(seen).toContainEqual([1, '0', 'c', undefined]);
  });
});
