import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type KafkaPort, connectKafka } from '@po/messaging';
import kafkajs, { type Admin } from 'kafkajs';
import { pino } from 'pino';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { fetchPrograms, nodeName, startKafka, takeNodes } from '../../deploy/local/stores/embedded-kafka.js';
import type { KafkaOptions } from '../../deploy/local/stores/kafka-properties.js';
import { eventually } from '@po/testing/eventually';

const BROKERS = 3;
/** Real Kafka brokers that a test controls, without services. */
export interface Brokers {
  /** Comma-separated addresses. */
  addresses: string;
  kafka: KafkaPort;
  /** Process of a broker. Ids start at 1. */
  broker: (id: number) => Process;
  /** Folder in which a broker stores a partition. */
  folderOf: (id: number, topic: string, partition: number) => string;
  /** Shuts a broker down gracefully and restarts it. Resolves when all partitions are in sync. */
  restart: (id: number) => Promise<void>;
  stop: () => Promise<void>;
}

const connect = (addresses: string): KafkaPort =>
  connectKafka({ KAFKA_BROKERS: addresses.split(',') }, 'cluster', pino({ level: 'silent' }));

interface BrokersOptions extends Pick<KafkaOptions, 'host' | 'controllers'> {
  brokerSessionMs?: number;
  count?: number;
}

export async function startBrokers({
  brokerSessionMs = 3_000,
  count = BROKERS,
  ...more
}: BrokersOptions = {}): Promise<Brokers> {
  const [folder, cache] = [process.env.CLUSTER_DIR ?? '', process.env.CLUSTER_CACHE ?? ''];
  if (!folder || !cache) throw new Error('CLUSTER_DIR is not set: run these tests by "npm run test:cluster"');
  const dir = join(folder, `brokers-${process.hrtime.bigint()}`);
  for (const name of ['data', 'logs']) await mkdir(join(dir, name), { recursive: true });
  const processes = new Processes(dir);
  await fetchPrograms(processes, cache, (_label, work) => work());
  const { nodes } = await takeNodes(dir, count);
  const addresses = await startKafka(processes, {
    ...more,
    cache,
    nodes,
    brokerSessionMs,
    isShortLived: true,
    data: join(dir, 'data', 'kafka'),
    log: join(dir, 'logs', 'kafka.log'),
  }).catch(async (error: unknown) => {
    await processes.stop();
    throw error;
  });
  const kafka = connect(addresses);
  const broker = (id: number) => processes.named(nodeName('Kafka', { id }))[0] as Process;
  return {
    addresses,
    kafka,
    broker,
    folderOf: (id, topic, partition) =>
      join(nodeName(join(dir, 'data', 'kafka'), { id }), 'log', `${topic}-${partition}`),
    restart: async (id) => {
      await broker(id).suspend('SIGTERM');
      broker(id).resume();
      await waitForInSync({ addresses }, count);
    },
    stop: async () => {
      await processes.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

// `KafkaPort` does not report replicas, which only these tests need.
async function withAdmin<T>({ addresses }: Pick<Brokers, 'addresses'>, use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new kafkajs.Kafka({ brokers: addresses.split(','), logLevel: 0 }).admin();
  try {
    await admin.connect();
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Moves every partition of the topics to these brokers and resolves when the replicas are there. Other brokers give up leadership. */
export async function moveReplicas(
  brokers: Pick<Brokers, 'addresses'>,
  topics: readonly string[],
  replicas: number[],
): Promise<void> {
  await withAdmin(brokers, async (admin) => {
    const placed = async () => (await admin.fetchTopicMetadata({ topics: [...topics] })).topics;
    await admin.alterPartitionReassignments({
      topics: (await placed()).map(({ name, partitions }) => ({
        topic: name,
        partitionAssignment: partitions.map(({ partitionId }) => ({
          partition: partitionId,
          replicas: rotated(replicas, partitionId),
        })),
      })),
    });
    await eventually('the replicas have moved', async () =>
      (await placed())
        .flatMap(({ partitions }) => partitions)
        .every(
          (each) => each.replicas.length === replicas.length && each.replicas.every((id) => replicas.includes(id)),
        ),
    );
  });
}

/** Rotates the replicas, so that each broker leads some partitions. */
const rotated = (replicas: readonly number[], by: number): number[] =>
  replicas.map((_, index) => replicas[(index + by) % replicas.length] as number);

/** Resolves when every replica of every partition is in sync. */
export async function waitForInSync(brokers: Pick<Brokers, 'addresses'>, count: number): Promise<void> {
  const isInSync = async (admin: Admin) => {
    if ((await admin.describeCluster()).brokers.length < count) throw new Error('a broker is down');
    const { topics } = await admin.fetchTopicMetadata();
    const behind = topics.filter(({ partitions }) =>
      partitions.some(({ isr, replicas }) => isr.length < replicas.length),
    );
    if (behind.length > 0) throw new Error(`out of sync: ${behind.map(({ name }) => name).join(', ')}`);
    return true;
  };
  await eventually('every replica is in sync', () => withAdmin(brokers, isInSync), { timeoutMs: 150_000 });
}
