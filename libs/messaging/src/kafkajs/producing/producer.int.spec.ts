import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { kafkaBrokers } from '@po/testing/stores';
import { type KafkaPort, type OutgoingRecord, type ProducerPort } from '../../kafka-port.js';
import { readTopic } from '../../dead-letters/read-topic.js';
import { newTopic } from '../../fixtures/new-topic.js';
import { connectKafka } from '../adapter.js';
import { Cluster } from '../cluster/cluster.js';
import type { Node } from '../cluster/node.js';

const LIMIT = 10_000;

let kafka: KafkaPort;
let producer: ProducerPort;
let topic: string;
/** Number of broker answers that are lost from now on. */
let lost: number;

beforeEach(async () => {
  kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'producer', pino({ level: 'silent' }));
  topic = await newTopic(kafka, { maxMessageBytes: LIMIT });
  lost = 0;
  const node = Reflect.get(Cluster.prototype, 'node') as (this: Cluster, id: number) => Node;
  jest.spyOn(Cluster.prototype, 'node').mockImplementation(function losing(this: Cluster, id) {
    const real = node.call(this, id);
    const send: typeof real.send = async (...request) => {
      const answer = await real.send(...request);
      if (lost === 0) return answer;
      lost -= 1;
      throw new Error('the answer was lost');
    };
    return Object.assign(Object.create(real) as typeof real, { send });
  });
  producer = kafka.producer({ acks: 'all', idempotent: true });
  await producer.connect();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await producer.disconnect();
});

const record = (value: string): OutgoingRecord => ({ topic, partition: 0, key: null, value, headers: {} });
const stored = async () => {
  const values: string[] = [];
  await readTopic(kafka, topic, ({ value }) => void values.push(String(value)));
  return values;
};

it('a producer compresses a record that exceeds the size limit of its topic', async () => {
  const long = record(`${'订单 PO-1 '.repeat(300_000)}!`);
  await producer.send([record('a'), { ...long, key: 'k', headers: { type: 'long' } }, record('b')]);
  expect(await stored()).toEqual(['a', long.value, 'b']);
});

it('a producer stores a record with a repeated header once even if its answers are lost', async () => {
  await producer.send([record('a')]);
  lost = 2;
  await producer.send([{ ...record('b'), headers: { type: [Buffer.from('x'), Buffer.from('y')], id: '1' } }]);
  const headers: unknown[] = [];
  await readTopic(kafka, topic, (each) => void headers.push(each.rawHeaders));
  expect(headers).toEqual([{}, { type: [Buffer.from('x'), Buffer.from('y')], id: Buffer.from('1') }]);
});

it('a producer starts a new epoch after records whose outcome stays unknown', async () => {
  let until = Infinity;
  lost = 1_000;
  const [ended] = producer.sendEach([record('a')], { until: () => until });
  await eventually('an answer was lost', () => lost < 1_000);
  until = performance.now();
  await expect(ended).rejects.toThrow('the deadline');
  lost = 0;
  await producer.send([record('b')]);
  await producer.send([record('c')]);
  expect(await stored()).toEqual(['a', 'b', 'c']);
});
