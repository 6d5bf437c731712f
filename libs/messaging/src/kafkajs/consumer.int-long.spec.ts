import { expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { kafkaBrokers } from '@po/testing/stores';
import type { IncomingRecord } from '../kafka-port.js';
import { newTopic } from '../fixtures/new-topic.js';
import { connectKafka } from './adapter.js';

const MIB = 1024 * 1024;

it('a consumer delivers small records that do not keep their large response in memory', async () => {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'consumer', pino({ level: 'silent' }));
  const topic = await newTopic(kafka, { maxMessageBytes: 8 * MIB });
  const producer = kafka.producer({ acks: 'all' });
  await producer.connect();
  const headers = { name: 'small' };
  await producer.send([
    { topic, partition: 0, key: 'large', value: 'x'.repeat(MIB), headers },
    { topic, partition: 0, key: 'small', value: 'y', headers },
  ]);
  await producer.disconnect();
  const records: IncomingRecord[] = [];
  const consumer = kafka.consumer({ group: topic, topics: [topic], from: 'earliest' });
  try {
    await consumer.start({ onRecords: (some) => records.push(...some) });
    await eventually('both records arrive', () => records.length === 2);
  } finally {
    await consumer.stop();
  }
  const [large, small] = records as [IncomingRecord, IncomingRecord];
  expect(String(large.value)).toHaveLength(MIB);
  expect(String(small.value)).toBe('y');
  expect(small.headers).toEqual(headers);
  const buffers = [large.key, small.key, small.value, small.rawHeaders.name].flat();
  const held = buffers.map((bytes) => bytes?.buffer.byteLength ?? 0);
  expect(Math.max(...held)).toBeLessThan(MIB);
});

it('a restarted static member gets its partitions at once; the old process with its name rejoins without the name', async () => {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'consumer', pino({ level: 'silent' }));
  const topic = await newTopic(kafka, { partitions: 6 });
  const started: { stop: () => Promise<void> }[] = [];
  const join = async (instance: string) => {
    const assignments: number[][] = [];
    const consumer = kafka.consumer({ group: topic, topics: [topic], from: 'earliest', instance });
    started.push(consumer);
    const onAssigned = (assigned: readonly { partition: number }[]) =>
      assignments.push(assigned.map(({ partition }) => partition).toSorted((a, b) => a - b));
    await consumer.start({ onRecords: () => undefined, onAssigned });
    return assignments;
  };
  const heldBy = (...members: number[][][]) => members.map((assignments) => assignments.at(-1) ?? []);
  try {
    const other = await join('other');
    const first = await join('one');
    await eventually('both hold a half', () => heldBy(first, other).every(({ length }) => length === 3));
    const [had] = heldBy(first);
    const rounds = other.length;
    const again = await join('one');
    expect(again[0]).toEqual(had);
    expect(other).toHaveLength(rounds);
    await eventually('the first has joined without the name', () => {
      const held = heldBy(first, again, other);
      return held.every(({ length }) => length === 2) && new Set(held.flat()).size === 6;
    });
  } finally {
    await Promise.all(started.map((consumer) => consumer.stop()));
  }
});

it('a consumer reads partitions that are added to its topic later', async () => {
  const settings = { KAFKA_BROKERS: kafkaBrokers() };
  const kafka = connectKafka(settings, 'consumer', pino({ level: 'silent' }), { metadataMaxAgeMs: 500 });
  const topic = await newTopic(kafka);
  const read: string[] = [];
  const consumer = kafka.consumer({ group: topic, topics: [topic], from: 'earliest' });
  const onRecords = (records: readonly IncomingRecord[]) => read.push(...records.map(({ value }) => String(value)));
  await consumer.start({ onRecords });
  const kafkaJs = new kafkajs.Kafka({ brokers: settings.KAFKA_BROKERS, logLevel: kafkajs.logLevel.NOTHING }).admin();
  await kafkaJs.connect();
  await kafkaJs.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
  await kafkaJs.disconnect();
  const producer = kafka.producer({ acks: 'all' });
  try {
    await eventually(
      'the new partitions have leaders',
      async () => (await kafka.leaders(topic)).filter((id) => id >= 0).length === 3,
    );
    await producer.connect();
    await producer.send(
      [0, 1, 2].map((partition) => ({ topic, partition, key: null, value: `${partition}`, headers: {} })),
    );
    await eventually('all three are read', () => read.toSorted().join() === '0,1,2');
  } finally {
    await producer.disconnect();
    await consumer.stop();
  }
});

it.each(['paused', 'without partitions'])('a consumer does not count as hung while it is %s', async (why) => {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'consumer', pino({ level: 'silent' }));
  const topic = await newTopic(kafka);
  const assigned = [-1, -1];
  const consumers = assigned.map(() => kafka.consumer({ group: topic, topics: [topic], from: 'earliest' }));
  try {
    for (const [index, consumer] of consumers.entries()) {
      await consumer.start({
        onRecords: () => undefined,
        onAssigned: (partitions) => (assigned[index] = partitions.length),
      });
    }
    await eventually('one has the partition', () => assigned.toSorted((a, b) => a - b).join() === '0,1');
    const [busy, idle] = assigned[0] === 1 ? consumers : consumers.toReversed();
    const looked = why === 'paused' ? busy : idle;
    if (why === 'paused') busy?.pause(topic);
    const since = Date.now();
    await eventually('more time than a fetch takes has passed', () => Date.now() - since > 2_500);
    expect(looked?.lastFetchAt()).toBeGreaterThan(since + 2_000);
  } finally {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  }
});
