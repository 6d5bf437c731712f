import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { takePorts } from '../processes/ports.js';
import { Processes } from '../processes/processes.js';
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
  await processes.stop();
  await rm(dir, { recursive: true, force: true });
});

it('runs in a folder that is accessible to its user only', async () => {
  expect(await missingForPostgres(dir)).toEqual([]);
  const { port } = await takePorts(dir, ['port']);
  const url = await startPostgres(processes, {
    data: join(dir, 'data', 'postgres'),
    log: join(dir, 'log'),
    port,
    programs: join(dir, 'native', 'bin'),
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ user: string }>('SELECT current_user AS user');
  await client.end();
  expect(rows).toEqual([{ user: 'postgres' }]);
});
