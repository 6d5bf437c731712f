import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ExternalStores, childEnvironment } from '../config.js';
import type { ContainerStart, Stores } from './infrastructure.js';
import { HOST, reservePorts } from '../processes/ports.js';
import { REPOSITORY } from '../repository.js';
import { run } from '../processes/run.js';

export const COMPOSE_FILE = 'docker-compose.yml';
export const STORE_SERVICES = ['kafka', 'postgres', 'redis'] as const;
type StoreService = (typeof STORE_SERVICES)[number];

/** Reserves loopback ports for the stores of the compose file, and returns their URLs and the variables with the ports. */
export async function storePorts(dir: string): Promise<{ urls: ExternalStores; environment: Record<string, string> }> {
  const ports = await reservePorts(dir, STORE_SERVICES);
  return {
    urls: {
      kafkaBrokers: `${HOST}:${ports.kafka}`,
      databaseUrl: `postgres://postgres:postgres@${HOST}:${ports.postgres}/postgres?sslmode=disable`,
      redisUrl: `redis://${HOST}:${ports.redis}`,
    },
    environment: {
      KAFKA_PORT: String(ports.kafka),
      POSTGRES_PORT: String(ports.postgres),
      REDIS_PORT: String(ports.redis),
    },
  };
}

/** Starts only the stores of the compose file. Their data stays in volumes of this project. */
export const composeStores: ContainerStart = (options) => startStores(options, ['stop']);

/** The same, but the stop also removes the containers and their data. */
export const temporaryComposeStores: ContainerStart = (options) => startStores(options, ['down', '-v']);

async function startStores(
  { dir, processes, step, fresh }: Parameters<ContainerStart>[0],
  stop: readonly string[],
): Promise<Stores> {
  const project = `po-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`;
  const { urls, environment } = await storePorts(dir);
  const compose = ['compose', '-p', project, '-f', join(REPOSITORY, COMPOSE_FILE)];
  const env = childEnvironment(environment);
  if (fresh) await processes.run('docker', [...compose, 'down', '-v'], { env });
  // Registered before the start, so that it also applies to unhealthy or starting stores, which Docker would restart after a reboot.
  processes.atStop(() => run('docker', [...compose, ...stop], { env }));
  await step('start Kafka, PostgreSQL and Redis in Docker', () =>
    processes.run('docker', [...compose, 'up', '-d', '--wait', ...STORE_SERVICES], { env }),
  );
  const pid = async (service: StoreService) => {
    const container = (await run('docker', [...compose, 'ps', '-q', service], { env })).trim();
    return Number((await run('docker', ['inspect', '-f', '{{.State.Pid}}', container])).trim());
  };
  const [kafka, postgres, redis] = await Promise.all(STORE_SERVICES.map(pid));
  return {
    ...urls,
    pids: () => ({ kafka: kafka ?? null, postgres: postgres ?? null, redis: redis ?? null }),
  };
}
