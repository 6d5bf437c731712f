import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExternalStores, INFRASTRUCTURES, type InfrastructureKind, type LocalSettings } from '../config.js';
import { logFile, logsIn } from '../logs/log-files.js';
import { fetchPrograms, missingForKafka, reserveNodes, startKafka } from './embedded-kafka.js';
import { missingForPostgres, startPostgres } from './embedded-postgres.js';
import { startRedis } from './embedded-redis.js';
import type { Processes } from '../processes/processes.js';
import type { Step } from '../progress.js';
import { tryRun } from '../processes/run.js';

const BROKER_SESSION_MS = 3_000;
const DOCKER_MS = 20_000;

/** Pids of the stores; null if this process did not start them. */
interface StorePids {
  kafka: number | null;
  postgres: number | null;
  redis: number | null;
}

export interface Stores extends ExternalStores {
  pids: () => StorePids;
}

export interface InfrastructureOptions {
  /** Folder of data, logs and ports. */
  dir: string;
  /** Folder of downloaded programs, which outlive the data. */
  cache: string;
  settings: Pick<LocalSettings, 'infrastructure' | 'external'>;
  processes: Processes;
  /** Starts the stores in containers. */
  docker: ContainerStart;
  /** Empties the stores and the mailbox first. */
  fresh: boolean;
  /** Number of embedded Kafka brokers; one if absent. */
  brokers?: number;
  /** Milliseconds after which a dead broker's partitions move; 3,000 if absent, a third of Kafka's default. */
  brokerSessionMs?: number;
  /** Makes embedded Kafka start faster and run slower: for tests, never for benchmarks. */
  isShortLived?: boolean;
  step: Step;
}

export type ContainerStart = (
  options: Pick<InfrastructureOptions, 'dir' | 'processes' | 'step' | 'fresh'>,
) => Promise<Stores>;

/** Starts Kafka, PostgreSQL and Redis of the configured kind, or of the first available kind. Rejects with what is missing. */
export async function startInfrastructure(
  options: InfrastructureOptions,
): Promise<Stores & { kind: InfrastructureKind }> {
  const kind = await chooseInfrastructure(options);
  if (options.fresh && kind === 'external')
    throw new Error('configured external stores cannot be emptied: omit --fresh');
  if (options.fresh) await removeData(options.dir);
  for (const folder of [join(options.dir, 'data'), logsIn(options.dir)]) await mkdir(folder, { recursive: true });
  const nameOtherWay = (error: Error) => {
    if (options.settings.infrastructure === null) error.message += '\nPO_INFRA=embedded starts stores without Docker';
    throw error;
  };
  switch (kind) {
    case 'external':
      return { kind, ...externalStores(options.settings.external) };
    case 'docker':
      return { kind, ...(await options.docker(options).catch(nameOtherWay)) };
    case 'embedded':
      return { kind, ...(await embeddedStores(options)) };
    default:
      return kind satisfies never;
  }
}

/** Folder of the mails that the stack has sent. */
export const mailsIn = (dir: string): string => join(dir, 'mails');

/** Removes the data of the stores and the mails, which are about orders in them. */
export async function removeData(dir: string): Promise<void> {
  for (const folder of [join(dir, 'data'), mailsIn(dir)]) await rm(folder, { recursive: true, force: true });
}

type Choice = Pick<InfrastructureOptions, 'dir' | 'cache' | 'settings'>;

/** Returns the configured kind of stores, or the first available kind. Rejects with what is missing. */
export async function chooseInfrastructure(options: Choice): Promise<InfrastructureKind> {
  const { infrastructure } = options.settings;
  const lacks: string[] = [];
  for (const kind of infrastructure ? [infrastructure] : INFRASTRUCTURES) {
    const missing = await missingFor(kind, options);
    if (missing.length === 0) return kind;
    lacks.push(...missing.map((what) => `  ${kind}: ${what}`));
  }
  throw new Error(
    `Kafka, PostgreSQL and Redis are not available. Provide what is missing for one of these ways:\n${lacks.join('\n')}`,
  );
}

/** Missing requirements for a kind of stores, each with a remedy. */
export async function missingFor(kind: InfrastructureKind, { dir, cache, settings }: Choice): Promise<string[]> {
  switch (kind) {
    case 'external':
      return missingSettings(settings.external).map((name) => `${name} is not set`);
    case 'docker':
      // An engine that is starting or frozen accepts the request and does not answer.
      if ((await tryRun('docker', ['info'], { signal: AbortSignal.timeout(DOCKER_MS) })) === null)
        return ['no Docker engine answers "docker info": start one'];
      if ((await tryRun('docker', ['compose', 'version'])) !== null) return [];
      return ['the compose plugin is missing: install Docker Compose 2, see https://docs.docker.com/compose/install/'];
    case 'embedded':
      return [...(await missingForKafka(cache)), ...(await missingForPostgres(dir))];
    default:
      return kind satisfies never;
  }
}

function missingSettings({ kafkaBrokers, databaseUrl, redisUrl }: Partial<ExternalStores>): string[] {
  const settings = { KAFKA_BROKERS: kafkaBrokers, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  return Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
}

function externalStores({ kafkaBrokers = '', databaseUrl = '', redisUrl = '' }: Partial<ExternalStores>): Stores {
  return {
    kafkaBrokers,
    databaseUrl,
    redisUrl,
    pids: () => ({ kafka: null, postgres: null, redis: null }),
  };
}

async function embeddedStores(options: InfrastructureOptions): Promise<Stores> {
  const { dir, cache, processes, step, brokers = 1, brokerSessionMs = BROKER_SESSION_MS, isShortLived } = options;
  await fetchPrograms(processes, cache, step);
  const { nodes, portOf } = await reserveNodes(dir, brokers, ['postgres', 'redis']);
  const place = (name: string) => ({ data: join(dir, 'data', name), log: logFile(logsIn(dir), name, 0), cache });
  const [kafkaBrokers, databaseUrl, redisUrl] = await Promise.all([
    step('start Kafka', () => startKafka(processes, { ...place('kafka'), nodes, brokerSessionMs, isShortLived })),
    step('start PostgreSQL', () => startPostgres(processes, { ...place('postgres'), port: portOf('postgres') })),
    step('start Redis', () => startRedis(processes, { ...place('redis'), port: portOf('redis') })),
  ]);
  const pid = (name: string) => processes.pids(name)[0] ?? null;
  return {
    kafkaBrokers,
    databaseUrl,
    redisUrl,
    pids: () => ({ kafka: pid('Kafka'), postgres: pid('PostgreSQL'), redis: pid('Redis') }),
  };
}
