import { join } from 'node:path';
import { type KafkaPort, connectKafka } from '@po/messaging';
import kafkajs, { type Admin } from 'kafkajs';
import { pino } from 'pino';
import type { Process } from '../../deploy/local/processes/process.js';
import { nodeName } from '../../deploy/local/stores/embedded-kafka.js';
import type { KafkaOptions } from '../../deploy/local/stores/kafka-properties.js';
import { eventually } from '@po/testing/eventually';
import { startOwnKafka } from '../support/own-kafka.js';

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

export async function startBrokers({
  count = BROKERS,
  ...more
}: Pick<KafkaOptions, 'host' | 'controllers'> & { count?: number } = {}): Promise<Brokers> {
  const folder = process.env.CLUSTER_DIR;
  if (!folder) throw new Error('CLUSTER_DIR is not set: run these tests by "npm run test:cluster"');
  const dir = join(folder, `brokers-${process.hrtime.bigint()}`);
  const { processes, addresses, stop } = await startOwnKafka(dir, { count, ...more });
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
    stop,
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
