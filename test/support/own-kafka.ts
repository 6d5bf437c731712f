import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_DIR } from '../../deploy/local/config.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { fetchPrograms, reserveNodes, startKafka } from '../../deploy/local/stores/embedded-kafka.js';
import type { KafkaOptions } from '../../deploy/local/stores/kafka-properties.js';
import type { KafkaSecurity } from '../../deploy/local/stores/kafka-security.js';

interface OwnKafkaOptions extends Pick<KafkaOptions, 'host' | 'controllers' | 'kafkaVersion'> {
  /** Number of brokers. */
  count?: number;
  /** Names of further ports. */
  ports?: readonly string[];
  security?: (portOf: (name: string) => number) => KafkaSecurity;
}

/** Starts brokers with their data and logs in this folder, which `stop` removes. If they do not start, the folder remains. */
export async function startOwnKafka(dir: string, { count = 1, ports, security, ...options }: OwnKafkaOptions = {}) {
  const processes = new Processes(dir);
  try {
    await mkdir(join(dir, 'data'), { recursive: true });
    await fetchPrograms(processes, DEFAULT_DIR, (_label, work) => work(), options.kafkaVersion);
    const { nodes, portOf } = await reserveNodes(dir, count, ports);
    const addresses = await startKafka(processes, {
      ...options,
      nodes,
      cache: DEFAULT_DIR,
      brokerSessionMs: 3_000,
      isShortLived: true,
      data: join(dir, 'data', 'kafka'),
      log: join(dir, 'kafka.log'),
      security: security?.(portOf),
    });
    const stop = async () => {
      await processes.stop();
      await rm(dir, { recursive: true, force: true });
    };
    return { processes, addresses, portOf, stop };
  } catch (error) {
    await processes.stop();
    throw error;
  }
}
