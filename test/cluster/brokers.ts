import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type KafkaPort, connectKafka } from '@po/messaging';
import kafkajs from 'kafkajs';
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
      await waitForInSync(kafka, count);
    },
    stop: async () => {
      await processes.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Moves every partition of the topics to these brokers and resolves when the replicas are there. Other brokers give up leadership. */
export async function moveReplicas(
  { addresses, kafka }: Pick<Brokers, 'addresses' | 'kafka'>,
  topics: readonly string[],
  replicas: number[],
): Promise<void> {
  const port = await kafka.admin();
  const admin = new kafkajs.Kafka({ brokers: addresses.split(','), logLevel: 0 }).admin();
  await admin.connect();
  const isMoved = async () => {
    const placement = await port.placement(topics);
    return placement.every(
      (each) => each.replicas.length === replicas.length && each.replicas.every((id) => replicas.includes(id)),
    );
  };
  try {
    const placed = Map.groupBy(await port.placement(topics), ({ topic }) => topic);
    await admin.alterPartitionReassignments({
      topics: Array.from(placed, ([topic, partitions]) => ({
        topic,
        partitionAssignment: partitions.map(({ partition }) => ({ partition, replicas: rotated(replicas, partition) })),
      })),
    });
    await eventually('the replicas have moved', isMoved);
  } finally {
    await Promise.all([admin.disconnect(), port.close()]);
  }
}

/** Rotates the replicas, so that each broker leads some partitions. */
const rotated = (replicas: readonly number[], by: number): number[] =>
  replicas.map((_, index) => replicas[(index + by) % replicas.length] as number);

/** Resolves when every replica of every partition is in sync. */
export async function waitForInSync(kafka: KafkaPort, brokers: number): Promise<void> {
  await eventually(
    'every replica is in sync',
    async () => {
      const admin = await kafka.admin();
      try {
        if ((await admin.brokerCount()) < brokers) throw new Error('a broker is down');
        const behind = (await admin.placement(await admin.topics())).filter(
          ({ replicas, inSync }) => inSync.length < replicas.length,
        );
        if (behind.length > 0) throw new Error(`out of sync: ${behind.length} partitions, ${behind[0]?.topic} first`);
        return true;
      } finally {
        await admin.close();
      }
    },
    { timeoutMs: 150_000 },
  );
}
