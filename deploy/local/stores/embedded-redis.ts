import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { childEnvironment } from '../config.js';
import { programsIn } from './embedded-kafka.js';
import { eventually } from '@po/testing/eventually';
import type { Processes } from '../processes/processes.js';
import { tryRun } from '../processes/run.js';

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
const OLDEST: readonly [number, number] = [6, 2];
const STOP_MS = 3_000;

/** Starts Redis on loopback without persistence, because all its data is derived and can be rebuilt. */
export async function startRedis(
  processes: Processes,
  { data, cache, log, port }: { data: string; cache: string; log: string; port: number },
): Promise<string> {
  await mkdir(data, { recursive: true });
  const redis = processes.start('store', {
    name: 'Redis',
    command: await redisProgram(cache),
    args: ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'],
    env: childEnvironment({}),
    cwd: data,
    log,
    stopTimeoutMs: STOP_MS,
  });
  const url = `redis://127.0.0.1:${port}`;
  await eventually('Redis answers', () => answers(url), { giveUp: () => redis.failure() });
  return url;
}

/** The installed Redis if it is new enough, or else the downloaded one. */
export async function redisProgram(cache: string): Promise<string> {
  const installed = /v=(\d+)\.(\d+)/.exec((await tryRun('redis-server', ['--version'])) ?? '');
  if (installed) {
    const [major, minor] = [Number(installed[1]), Number(installed[2])];
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return 'redis-server';
  }
  const folder = join(programsIn(cache), 'redis');
  const suffix = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
  const program = (await readdir(folder)).find((name) => name.endsWith(suffix));
  if (!program) throw new Error(`there is no embedded Redis for ${suffix}: install Redis 6.2 or newer, or use Docker`);
  await chmod(join(folder, program), 0o755);
  return join(folder, program);
}

async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  // Without a listener, a refused connection is printed.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } finally {
    client.disconnect();
  }
}
