import { spawn } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOPICS, TOPIC_MANIFEST } from '@po/contracts';
import { readTopic } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { newTopic } from '../../libs/messaging/src/fixtures/new-topic.js';
import { type Brokers, startBrokers } from './brokers.js';

const JOB = join(fileURLToPath(new URL('../..', import.meta.url)), 'libs/messaging/dist/topics/create-topics.js');
const RETENTION_MS = 2_000;

/** Starts the topics job. `succeeded` rejects with its output. */
function startJob(environment: Record<string, string>) {
  const job = spawn(process.execPath, [JOB], { env: { ...process.env, ...environment } });
  const printed: string[] = [];
  for (const output of [job.stdout, job.stderr]) output.on('data', (bytes: Buffer) => printed.push(bytes.toString()));
  const ended = new Promise<number | null>((resolve) => job.once('close', resolve));
  const succeeded = async () => {
    const code = await ended;
    if (code !== 0) throw new Error(`the job ended with exit status ${code}:\n${printed.join('')}`);
  };
  return { printed: () => printed.join(''), ended, succeeded };
}

describe('the topics job on three brokers', () => {
  let brokers: Brokers;
  beforeAll(async () => {
    brokers = await startBrokers({ controllers: 1 });
    for (const id of [2, 3]) await brokers.broker(id).suspend('SIGTERM');
    await eventually('only one broker is left', async () => (await look((admin) => admin.brokerCount())) === 1);
  });
  afterAll(() => brokers?.stop());

  const look = async <T>(at: (admin: Awaited<ReturnType<Brokers['kafka']['admin']>>) => Promise<T>): Promise<T> => {
    const admin = await brokers.kafka.admin();
    return at(admin).finally(() => admin.close());
  };
  const run = (environment: Record<string, string> = {}) =>
    startJob({ KAFKA_BROKERS: brokers.addresses, ...environment });

  it('creates nothing and reports the number of available brokers if the others do not start in time', async () => {
    const job = run({ KAFKA_BROKERS_WAIT_MS: '100' });
    expect(await job.ended).toBe(1);
    expect(job.printed()).toContain('1 of 3 brokers are available after 100 ms');
    expect(await look((admin) => admin.topics())).not.toContain(TOPICS.commands);
  });

  it('waits for the other brokers, then creates every topic with three replicas, or one if it is ephemeral', async () => {
    const job = run();
    await eventually('the job waits for brokers', () => job.printed().includes('waiting for brokers'));
    for (const id of [2, 3]) brokers.broker(id).resume();
    await job.succeeded();
    const described = await look((admin) => admin.describe(TOPIC_MANIFEST.map(({ topic }) => topic)));
    expect(described).toHaveLength(TOPIC_MANIFEST.length);
    const ephemeral = new Set(TOPIC_MANIFEST.filter((topic) => topic.ephemeral).map(({ topic }) => topic));
    const replicas = (topic: string) => (ephemeral.has(topic) ? 1 : 3);
    const short = described.filter(({ topic, replication }) => replication !== replicas(topic));
    expect(short.map(({ topic }) => topic)).toEqual([]);
    const least = described.map(({ topic, settings }) => [replicas(topic), settings['min.insync.replicas']].join());
    expect(new Set(least)).toEqual(new Set(['1,1', '3,2']));
  });

  it('reports no difference after creation, and names settings that differ from the requested ones', async () => {
    const again = run();
    await again.succeeded();
    expect(again.printed()).not.toContain('differs');
    const fewer = run({ KAFKA_REPLICATION: '2' });
    await fewer.succeeded();
    expect(fewer.printed()).toContain(`${TOPICS.state}: replication is 3, wanted is 2`);
    expect(fewer.printed()).toContain(`${TOPICS.state}: min.insync.replicas is 2, wanted is 1`);
  });

  it('topics delete records past their retention while more records are written', async () => {
    const topic = await newTopic(brokers.kafka, { retention: RETENTION_MS });
    const producer = brokers.kafka.producer({ acks: 'all' });
    await producer.connect();
    await eventually('the first record is deleted', async () => {
      await producer.send([{ topic, key: null, value: 'token', headers: {} }]);
      return look(async (admin) => (await admin.offsets(topic)).every(({ low }) => BigInt(low) > 0n));
    }).finally(() => producer.disconnect());
  });
});

describe('a broker with an IPv6 address', () => {
  // Without ::1, as in some containers, an IPv4-mapped address is used: it is parsed, sent and connected to like any IPv6 address.
  const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
  let brokers: Brokers;
  beforeAll(async () => {
    brokers = await startBrokers({ count: 1, host: hasIPv6 ? '::1' : '::ffff:127.0.0.1' });
  });
  afterAll(() => brokers?.stop());

  it('is found at this address, and is written to and read from at its advertised address', async () => {
    expect(brokers.addresses).toMatch(/^\[.*\]:\d+$/);
    const job = startJob({ KAFKA_BROKERS: brokers.addresses, KAFKA_REPLICATION: '1' });
    expect({ code: await job.ended, printed: job.printed() }).toMatchObject({ code: 0 });
    const producer = brokers.kafka.producer({ acks: 'all' });
    await producer.connect();
    const send = () => producer.send([{ topic: TOPICS.users, key: 'k', value: 'v', headers: {} }]);
    // Retried, because the leaders of new partitions may not know their role yet.
    await eventually('a record is accepted', () => send().then(() => true)).finally(() => producer.disconnect());
    const values = new Set<string>();
    const read = () => readTopic(brokers.kafka, TOPICS.users, ({ value }) => void values.add(String(value)));
    await eventually('the topic is read', () => read().then(() => true));
    expect([...values]).toEqual(['v']);
  });
});
