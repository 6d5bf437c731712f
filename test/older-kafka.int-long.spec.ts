import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { connectKafka } from '@po/messaging';
import { pino } from 'pino';
import { describeKafkaPort } from '../libs/messaging/src/fixtures/kafka-port-contract.js';
import { recreateTopic } from '../libs/messaging/src/fixtures/recreate-topic.js';
import { startOwnKafka } from './support/own-kafka.js';

/** Last release of Kafka 3. The first run on a machine downloads it. */
const VERSION = '3.9.1';

let own: Awaited<ReturnType<typeof startOwnKafka>>;
let brokers: string[];

beforeAll(async () => {
  own = await startOwnKafka(await mkdtemp(join(tmpdir(), 'po-older-kafka-')), { kafkaVersion: VERSION });
  brokers = own.addresses.split(',');
});
afterAll(() => own?.stop());

describeKafkaPort(
  `KafkaJS with Kafka ${VERSION}`,
  () => connectKafka({ KAFKA_BROKERS: brokers }, 'contract', pino({ level: 'silent' })),
  (kafka, topic) => recreateTopic(kafka, brokers, topic),
);
