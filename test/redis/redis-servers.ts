import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { childEnvironment, DEFAULT_DIR } from '../../deploy/local/config.js';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { redisProgram } from '../../deploy/local/stores/embedded-redis.js';
import { eventually } from '@po/testing/eventually';

/** A Redis process of a test. */
export interface RedisNode {
  port: number;
  process: Process;
  /** Connection of the administrator. */
  admin: Redis;
}

/** Redis processes of a test, without persistence. */
export interface RedisServers {
  folder: string;
  /** Starts a process with these configuration lines. `client` has the credentials of the administrator. */
  start(name: string, lines: readonly string[], options?: StartOptions): Promise<RedisNode>;
  stop(): Promise<void>;
}

interface StartOptions {
  client?: RedisOptions;
  sentinel?: boolean;
}

const HOST = '127.0.0.1';

export async function startRedisServers(
  names: readonly string[],
): Promise<RedisServers & { portOf: (name: string) => number }> {
  const folder = await mkdtemp(join(tmpdir(), 'po-redis-'));
  const processes = new Processes(folder);
  const program = await redisProgram(DEFAULT_DIR);
  const ports = await reservePorts(folder, names);
  const admins: Redis[] = [];
  const portOf = (name: string) => ports[name] as number;
  return {
    folder,
    portOf,
    start: async (name, lines, { client, sentinel } = {}) => {
      const port = portOf(name);
      const file = join(folder, `${name}.conf`);
      // TLS replaces the plain port if it is configured.
      const listens = lines.some((line) => line.startsWith('tls-cert-file'))
        ? ['port 0', `tls-port ${port}`]
        : [`port ${port}`];
      const own = [`bind ${HOST}`, ...listens, ...(sentinel ? [] : ['save ""', `dbfilename ${name}.rdb`])];
      await writeFile(file, `${[...own, ...lines].join('\n')}\n`);
      const started = processes.start('store', {
        name,
        command: program,
        args: [file, ...(sentinel ? ['--sentinel'] : [])],
        env: childEnvironment({}),
        cwd: folder,
        log: join(folder, `${name}.log`),
        stopTimeoutMs: 3_000,
      });
      const admin = new Redis({
        host: HOST,
        port,
        ...client,
        lazyConnect: true,
        retryStrategy: () => 50,
        // The timer of ioredis keeps the process alive even if the server is gone, by default for 2 s.
        disconnectTimeout: 250,
        enableReadyCheck: false,
      });
      admin.on('error', () => undefined);
      admins.push(admin);
      admin.connect().catch(() => undefined);
      await eventually(`${name} answers`, async () => (await admin.ping()) === 'PONG', {
        giveUp: () => started.failure(),
      });
      return { port, process: started, admin };
    },
    stop: async () => {
      for (const admin of admins) admin.disconnect();
      await processes.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
