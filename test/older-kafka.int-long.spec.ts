import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { connectKafka } from '@po/messaging';
import { pino } from 'pino';
import { DEFAULT_DIR } from '../deploy/local/config.js';
import { Processes } from '../deploy/local/processes/processes.js';
import { fetchPrograms, startKafka, takeNodes } from '../deploy/local/stores/embedded-kafka.js';
import { describeKafkaPort } from '../libs/messaging/src/fixtures/kafka-port-contract.js';
import { recreateTopic } from '../libs/messaging/src/fixtures/recreate-topic.js';

/** Last release of Kafka 3. The first run on a machine downloads it. */
const VERSION = '3.9.1';

let folder: string;
let processes: Processes;
let brokers: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'po-older-kafka-'));
  processes = new Processes(folder);
  await mkdir(join(folder, 'data'));
  await fetchPrograms(processes, DEFAULT_DIR, (_label, work) => work(), VERSION);
  const { nodes } = await takeNodes(folder, 1);
  const addresses = await startKafka(processes, {
    nodes,
    cache: DEFAULT_DIR,
    kafkaVersion: VERSION,
    brokerSessionMs: 3_000,
    isShortLived: true,
    data: join(folder, 'data', 'kafka'),
    log: join(folder, 'kafka.log'),
  });
  brokers = addresses.split(',');
});
afterAll(async () => {
  await processes?.stop();
  await rm(folder, { recursive: true, force: true });
});

describeKafkaPort(
  `KafkaJS with Kafka ${VERSION}`,
  () => connectKafka({ KAFKA_BROKERS: brokers }, 'contract', pino({ level: 'silent' })),
  (kafka, topic) => recreateTopic(kafka, brokers, topic),
);
