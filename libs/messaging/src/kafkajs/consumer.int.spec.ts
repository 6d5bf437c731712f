import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '../../../../test/support/eventually.js';
import { kafkaBrokers } from '../../../../test/support/stores.js';
import type { IncomingRecord } from '../kafka-port.js';
import { connectKafka } from './adapter.js';

const MIB = 1024 * 1024;

it('hands over small records that do not hold the response of megabytes in which they came', async () => {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'consumer', pino({ level: 'silent' }));
  const topic = `owned-${randomUUID()}`;
  const admin = await kafka.admin();
  const specification = { topic, partitions: 1, retention: 60_000, maxMessageBytes: 8 * MIB };
  await admin.createTopics([{ ...specification, replication: 1, minInsync: 1 }]);
  await admin.close();
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
  const nothing = () => undefined;
  try {
    await consumer.start({
      onRecords: (some) => records.push(...some),
      onAssigned: nothing,
      onRebalancing: nothing,
      onCrash: nothing,
    });
    await eventually('both are there', () => records.length === 2);
  } finally {
    await consumer.stop();
  }
  const [large, small] = records as [IncomingRecord, IncomingRecord];
  expect(String(large.value)).toHaveLength(MIB);
  expect(String(small.value)).toBe('y');
  expect(small.headers).toEqual(headers);
  const held = [large.key, small.key, small.value, small.rawHeaders.name].map((bytes) => bytes?.buffer.byteLength ?? 0);
  expect(Math.max(...held)).toBeLessThan(MIB);
}, 30_000);
