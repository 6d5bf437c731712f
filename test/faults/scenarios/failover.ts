import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logFile, logsIn } from '../../../deploy/local/logs/log-files.js';
import { reservePorts } from '../../../deploy/local/processes/ports.js';
import { run } from '../../../deploy/local/processes/run.js';
import type { Process } from '../../../deploy/local/processes/process.js';
import { allReady } from '../../../deploy/local/stack/readiness.js';
import { startPostgres } from '../../../deploy/local/stores/embedded-postgres.js';
import { eventually } from '@po/testing/eventually';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { type World, managementUrls } from '../world.js';
import type { Load } from '../workload.js';
import { waitForMails } from './mail.js';
import { freeze } from './outages.js';

interface Server {
  url: string;
  process: Process;
  log: string;
}

/** Promised recovery time after the failover. */
const RECOVERY = { timeoutMs: 30_000 };
const MIN_SERVED = 50;
/** Maximum time during which the standby refuses writes. */
const READ_ONLY_MS = 5_000;

/**
 * The primary stops answering without closing connections, and its address leads to a standby, at first read-only, then promoted. No
 * service is restarted. The standby confirmed every commit, so it must have everything that was acknowledged to users.
 */
export async function failOver(world: World, random: Random, load: Load): Promise<void> {
  const address = new URL(databaseOf(world, 'purchaseOrders'));
  const data = { primary: join(world.dir, 'data', 'postgres'), standby: join(world.dir, 'data', 'postgres-standby') };
  await world.store('PostgreSQL').suspend('SIGINT');
  await run('cp', ['-a', data.primary, data.standby]);
  const ports = await reservePorts(world.dir, ['postgres-primary', 'postgres-standby']);
  const primary = await start(world, data.primary, 'postgres-primary', ports['postgres-primary']);
  const proxy = await TcpProxy.to(new URL(primary.url), Number(address.port));
  let standby: Server;
  try {
    await follow(data.standby, primary);
    standby = await start(world, data.standby, 'postgres-standby', ports['postgres-standby']);
    await confirmEveryCommit(primary);
    await load.served(MIN_SERVED);
    await load.more(random.int(1, 40));
    freeze(primary.process.pid);
    proxy.moveTo(new URL(standby.url));
    await eventually('the services try to write to the standby', () => refuses(standby));
    // Workers that wait for an answer start no operations, so the wait is limited.
    await Promise.race([load.more(random.int(1, 40)), delay(READ_ONLY_MS)]);
    await rowsOf(standby.url, 'SELECT pg_promote()');
    await eventually('every replica is ready', () => allReady(managementUrls(world)), RECOVERY);
    await load.served(MIN_SERVED);
    await waitForMails(world);
  } finally {
    await end(primary);
    await proxy.close();
  }
  // The other scenarios expect a PostgreSQL process of the stack at the address.
  await standby.process.suspend('SIGINT');
  await start(world, data.standby, 'postgres', Number(address.port));
}

async function start(world: World, data: string, name: string, port = 0): Promise<Server> {
  const log = logFile(logsIn(world.dir), name, 0);
  const url = await startPostgres(world.processes, { data, log, port });
  return { url, log, process: world.store('PostgreSQL') };
}

/** Turns a copy of the primary's data into the data of a standby. */
async function follow(data: string, primary: Server): Promise<void> {
  const { hostname, port, username, password } = new URL(primary.url);
  const from = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  await writeFile(join(data, 'standby.signal'), '');
}

/** Makes replication synchronous: the primary acknowledges a commit only after the standby confirmed it. */
async function confirmEveryCommit({ url }: Server): Promise<void> {
  await rowsOf(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await rowsOf(url, 'SELECT pg_reload_conf()');
  await eventually(
    'the standby confirms commits',
    async () => (await rowsOf(url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1,
  );
}

async function refuses({ log }: Server): Promise<boolean> {
  return (await readFile(log, 'utf8')).includes('in a read-only transaction');
}

/** Kills a server that may be frozen, and its children, which would otherwise stay frozen. */
async function end({ process: server }: Server): Promise<void> {
  const [, ...children] = freeze(server.pid).toReversed();
  await server.suspend('SIGKILL');
  for (const child of children) process.kill(child, 'SIGKILL');
}

export const FAILOVER: Scenario[] = [
  { name: 'PostgreSQL stops answering and a standby is promoted at its address', fault: failOver },
];
