import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asRole } from '@po/testing/service-databases';
import { eventually } from '@po/testing/eventually';
import pg from 'pg';
import { runJob } from '#local/commands/repair-job.js';
import { DEFAULT_DIR, childEnvironment } from '#local/config.js';
import { logFile, logsIn } from '#local/logs/log-files.js';
import { reservePorts } from '#local/processes/ports.js';
import { Processes } from '#local/processes/processes.js';
import { run } from '#local/processes/run.js';
import { startPostgres } from '#local/stores/embedded-postgres.js';
import { installTools } from '#local/tools/install.js';
import { BACKUP_TOOLS } from '#local/tools/tools.js';
import { progress, stopAtEnd } from '../lifetime.js';
import { type OptionsOf, wholeNumber } from '../options.js';
import { allOf, assortmentOf, importAll } from '../orders.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { rebuildDashboard } from './soak.js';
import { MB, sizeOf, tableSizes, topicSizes } from './stored-sizes.js';

/** One in this many orders changes after the base backup, to measure the WAL replay. */
const ONE_CHANGED_OF = 5;
const WAIT = { timeoutMs: 30 * 60_000 };

export const OPTIONS = { orders: wholeNumber(20_000, 1, 10_000_000), lines: wholeNumber(50, 1, 3_000) };

/** Sizes of the embedded stores for a number of orders, and the time of a PostgreSQL backup and restore. */
export async function measure({ orders, lines }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const step = <T>(label: string, work: () => Promise<T>) => (progress(label), work());
  const programs = await installTools(join(DEFAULT_DIR, 'tools'), BACKUP_TOOLS, step);
  const stack = await BenchStack.start();
  const { databaseUrls } = stack.file;
  const [data, place] = [join(stack.folder, 'data'), join(stack.folder, 'backup')];
  await mkdir(place);
  const steps: object[] = [];
  const timed = async (what: string, work: () => Promise<unknown>, bytesOf?: () => Promise<number>, count = orders) => {
    const startedAt = performance.now();
    await step(what, work);
    const [ms, bytes] = [performance.now() - startedAt, await bytesOf?.()];
    const each = {
      'ms per 1,000': ms / (count / 1000),
      ...(bytes ? { 'MB per 1,000': bytes / MB / (count / 1000) } : {}),
    };
    steps.push({ what, orders: count, seconds: ms / 1000, ...(bytes ? { MB: bytes / MB } : {}), ...each });
  };
  const server = new URL(databaseUrls.purchaseOrders);
  const { hostname: PGHOST, port: PGPORT, username: PGUSER, password: PGPASSWORD } = server;
  const env = childEnvironment({ PGHOST, PGPORT, PGUSER, PGPASSWORD });
  const tool = (name: string, ...args: string[]) => run(join(programs, name), args, { env });
  const sql = (text: string) => stack.orders.query<{ value: string }>(text);
  const number = async (expression: string) => Number((await sql(`SELECT ${expression} AS value`)).rows[0]?.value);

  const assortment = assortmentOf({ orders, lines });
  const all = () => number(`(SELECT sum(pg_database_size(oid)) FROM pg_database WHERE NOT datistemplate)`);
  await timed('import', () => importAll(stack, allOf(assortment)), all);
  await sql('VACUUM ANALYZE');
  const tables = (await Promise.all([stack.orders, stack.notifications, stack.mails].map(tableSizes))).flat();
  const topics = await topicSizes(join(data, 'kafka'));

  const dump = join(place, 'purchase_orders.dump');
  await timed(
    'pg_dump',
    () => tool('pg_dump', '-Fc', `--file=${dump}`, 'purchase_orders'),
    () => sizeOf(dump),
  );
  await sql('CREATE DATABASE restored OWNER po_migrator');
  const undump = () => tool('pg_restore', '-j2', '--exit-on-error', '--dbname=restored', dump);
  await timed('pg_restore -j2', undump, () => number(`pg_database_size('restored')`));
  await sql('DROP DATABASE restored');

  // Replaces a WAL archive: the server keeps all WAL.
  await sql(`ALTER SYSTEM SET wal_keep_size = '500GB'`);
  await sql('SELECT pg_reload_conf()');
  const base = join(place, 'base');
  const copy = () => tool('pg_basebackup', `--pgdata=${base}`, '--format=tar', '--gzip', '--checkpoint=fast');
  await timed('pg_basebackup --gzip', copy, () => sizeOf(join(base, 'base.tar.gz')));
  const [changed, before] = [Math.ceil(orders / ONE_CHANGED_OF), await number(`pg_current_wal_lsn() - '0/0'::pg_lsn`)];
  const written = () => number(`pg_current_wal_lsn() - '0/0'::pg_lsn - ${before}`);
  await timed(
    'changes, and their WAL',
    () => importAll(stack, { ...allOf(assortment, 2, 1), count: changed }),
    written,
    changed,
  );
  await sql('SELECT pg_switch_wal()');

  const restored = join(place, 'restored');
  await mkdir(restored, { mode: 0o700 });
  const unpack = async () => {
    await run('tar', ['-xzf', join(base, 'base.tar.gz'), '-C', restored]);
    await run('tar', ['-xzf', join(base, 'pg_wal.tar.gz'), '-C', join(restored, 'pg_wal')]);
  };
  await timed('unpack the base backup', unpack, () => sizeOf(restored));
  const archive = `restore_command = 'cp "${join(data, 'postgres/pg_wal')}/%f" %p'\n`;
  await appendFile(join(restored, 'postgresql.auto.conf'), archive);
  await writeFile(join(restored, 'recovery.signal'), '');
  const { uid, gid } = await stat(join(data, 'postgres'));
  await run('chown', ['-R', `${uid}:${gid}`, restored]);
  await timed('replay the WAL', () => openRestored(stack.folder, restored), written, changed);

  const DATABASE_URL_INTERNAL = asRole(databaseUrls.purchaseOrders, 'po_internal');
  const job = 'services/purchase-orders/dist/republish/republish.js';
  await timed('republish --restored', async () => {
    if ((await runJob(job, ['--restored'], { DATABASE_URL_INTERNAL, LOG_LEVEL: 'warn' })) !== 0)
      throw new Error(`${job} failed`);
    await stack.settled();
  });
  await timed('rebuild the dashboard', () => rebuildDashboard(stack.file));
  const title = `Tables of ${orders} orders with ${orders * lines} lines`;
  return {
    tables: [
      { title, rows: tables },
      { title: 'Topics, one replica', rows: topics },
      { title: 'Backup and restore', rows: steps },
    ],
    notes: [],
  };
}

/** Starts a server on the restored folder. Resolves when it has replayed all WAL. */
async function openRestored(folder: string, data: string): Promise<void> {
  const processes = new Processes(join(folder, 'backup'));
  stopAtEnd(() => processes.stop());
  const { restored: port } = await reservePorts(folder, ['restored']);
  const connectionString = await startPostgres(processes, { data, log: logFile(logsIn(folder), 'restored', 0), port });
  const isOpen = async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query<{ recovers: boolean }>('SELECT pg_is_in_recovery() AS recovers');
    await client.end();
    return rows[0]?.recovers === false;
  };
  await eventually('all WAL is replayed', isOpen, WAIT);
}
