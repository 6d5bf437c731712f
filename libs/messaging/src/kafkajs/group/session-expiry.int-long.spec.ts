import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { kafkaBrokers } from '@po/testing/stores';
import { newTopic } from '../../fixtures/new-topic.js';
import type { ConsumerPort, IncomingRecord } from '../../kafka-port.js';
import { connectKafka } from '../adapter.js';
import { Coordinator } from './coordinator.js';

const PARTITIONS = 3;

it('a member whose session has expired gives up its partitions before another member gets them', async () => {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'consumer', pino({ level: 'silent' }));
  const topic = await newTopic(kafka, { partitions: PARTITIONS });
  const log: string[] = [];
  const read: string[] = [];
  const started: ConsumerPort[] = [];
  const join = async (name: string) => {
    const consumer = kafka.consumer({ group: topic, topics: [topic], from: 'earliest' });
    started.push(consumer);
    await consumer.start({
      onRecords: (records: readonly IncomingRecord[]) =>
        read.push(...records.map(({ value }) => `${name} ${String(value)}`)),
      onAssigned: (assignment) => log.push(`${name} has ${assignment.length}`),
      onPartitionsLost: () => log.push(`${name} lost all`),
    });
    return consumer;
  };
  const producer = kafka.producer({ acks: 'all' });
  await producer.connect();
  const send = (value: string) =>
    producer.send(
      Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition, key: null, value, headers: {} })),
    );
  try {
    const cutOff = await join('old');
    await send('before');
    await eventually('all is read', () => read.length === PARTITIONS);
    // The leaders of its partitions still answer.
    const { coordinator } = (cutOff as unknown as { membership: { coordinator: Coordinator } }).membership;
    coordinator.ask = () => Promise.reject(new Error('the coordinator does not answer'));
    await join('new');
    expect(log).toEqual(['old has 3', 'old lost all', 'new has 3']);
    read.length = 0;
    await send('after');
    await eventually('the new member reads', () => read.filter((line) => line === 'new after').length === PARTITIONS);
    expect(read).not.toContain('old after');
  } finally {
    await producer.disconnect();
    await Promise.all(started.map((consumer) => consumer.stop()));
  }
});
