import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { type DatabaseUrls, asRole, createDatabases } from '@po/testing/service-databases';
import { reservePorts } from '../processes/ports.js';
import { Processes } from '../processes/processes.js';
import { run } from '../processes/run.js';
import { migrateDatabases } from '../stack/services.js';
import { PROGRAMS, missingForPostgres, startPostgres } from './embedded-postgres.js';

let dir: string;
let processes: Processes;
beforeEach(async () => {
  // Like a clone in a folder from mktemp: only its owner may enter, but PostgreSQL started by root runs as another user.
  dir = await mkdtemp(join(tmpdir(), 'po-closed-'));
  await chmod(dir, 0o700);
  await mkdir(join(dir, 'data'));
  await cp(join(PROGRAMS, '..'), join(dir, 'native'), { recursive: true, verbatimSymlinks: true });
  processes = new Processes(dir);
});
afterEach(async () => {
  delete process.env['PGSSLMODE'];
  await processes.stop();
  await rm(dir, { recursive: true, force: true });
});

async function start(): Promise<string> {
  const { port } = await reservePorts(dir, ['port']);
  return startPostgres(processes, {
    data: join(dir, 'data', 'postgres'),
    log: join(dir, 'log'),
    port,
    programs: join(dir, 'native', 'bin'),
  });
}

async function expectMigrated(urls: DatabaseUrls): Promise<void> {
  await migrateDatabases(processes, urls);
  const client = new pg.Client({ connectionString: urls.mail.inspection });
  await client.connect();
  const { rows } = await client.query<{ applied: boolean }>('SELECT count(*) > 0 AS applied FROM migrations');
  await client.end();
  expect(rows).toEqual([{ applied: true }]);
}

it.each([
  ['its owner', () => Promise.resolve()],
  // As npm installs files with a umask of 077.
  ['its owner, and with programs that are also closed', () => run('chmod', ['-R', 'go-rwx', join(dir, 'native')])],
])('PostgreSQL runs in a folder that is accessible only to %s', async (_, close) => {
  await close();
  expect(await missingForPostgres(dir)).toEqual([]);
  const url = await start();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ user: string }>('SELECT current_user AS user');
  await client.end();
  expect(rows).toEqual([{ user: 'postgres' }]);
});

it('embedded PostgreSQL is used without TLS, even by jobs, although PGSSLMODE requires TLS for other servers', async () => {
  process.env['PGSSLMODE'] = 'require';
  const urls = await createDatabases(await start());
  await expectMigrated(urls);
});

it('a role with CREATEDB, CREATEROLE and BYPASSRLS, but no superuser, creates and migrates the databases', async () => {
  const url = await start();
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE ROLE operator LOGIN PASSWORD 'operator' CREATEDB CREATEROLE BYPASSRLS`);
  await admin.end();
  const urls = await createDatabases(asRole(url, 'operator'));
  await expectMigrated(urls);
});
