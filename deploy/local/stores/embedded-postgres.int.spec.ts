import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabases } from '@po/testing/service-databases';
import { takePorts } from '../processes/ports.js';
import { Processes } from '../processes/processes.js';
import { migrateDatabases } from '../stack/services.js';
import { PROGRAMS, missingForPostgres, startPostgres } from './embedded-postgres.js';

let dir: string;
let processes: Processes;
beforeEach(async () => {
  // As mktemp makes it, where a clone is tried: only its owner may enter, and root's PostgreSQL is somebody else.
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
  const { port } = await takePorts(dir, ['port']);
  return startPostgres(processes, {
    data: join(dir, 'data', 'postgres'),
    log: join(dir, 'log'),
    port,
    programs: join(dir, 'native', 'bin'),
  });
}

it.each([
  ['its user only', () => Promise.resolve()],
  // Whatever npm installs with such a umask, programs among them.
  ['its user only, as are its programs', () => promisify(execFile)('chmod', ['-R', 'go-rwx', join(dir, 'native')])],
])('runs in a folder that is accessible to %s', async (_, close) => {
  await close();
  expect(await missingForPostgres(dir)).toEqual([]);
  const url = await start();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ user: string }>('SELECT current_user AS user');
  await client.end();
  expect(rows).toEqual([{ user: 'postgres' }]);
});

it('is used without TLS, also by jobs, where the environment says how other servers are reached', async () => {
  process.env['PGSSLMODE'] = 'require';
  const urls = await createDatabases(await start());
  await migrateDatabases(processes, urls);
  const client = new pg.Client({ connectionString: urls.mail.inspection });
  await client.connect();
  const { rows } = await client.query<{ applied: boolean }>('SELECT count(*) > 0 AS applied FROM migrations');
  await client.end();
  expect(rows).toEqual([{ applied: true }]);
});
