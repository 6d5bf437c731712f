import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createLogger } from '@po/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '@po/testing/eventually';
import { databaseUrl } from '@po/testing/stores';
import { Database, type Statement } from './database.js';

const PID: Statement = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
type Pid = { pid: number };

describe('a connection that breaks between two statements', () => {
  const database = new Database({
    url: databaseUrl(),
    name: 'broken',
    poolSize: 1,
    logger: createLogger('test', 'silent'),
  });
  const administrator = new pg.Client({ connectionString: databaseUrl() });
  beforeAll(() => Promise.all([database.connect(), administrator.connect()]));
  afterAll(() => Promise.all([database.close(), administrator.end()]));

  const breakConnection = async ([row]: Pid[]) => {
    await administrator.query('SELECT pg_terminate_backend($1)', [row?.pid]);
    await eventually('the backend of the connection is gone', async () => {
      const { rowCount } = await administrator.query('SELECT FROM pg_stat_activity WHERE pid = $1', [row?.pid]);
      return rowCount === 0;
    });
  };
  const WORK: [string, () => Promise<unknown>][] = [
    [
      'a read of several statements',
      () =>
        database.readAll(null, async (read) => {
          await breakConnection(await read<Pid>(PID));
          return read(PID);
        }),
    ],
    [
      'a transaction',
      () =>
        database.transaction(null, async (send) => {
          await breakConnection(await send<Pid>(PID));
          return send(PID);
        }),
    ],
  ];

  it.each(WORK)('fails only %s; the next read gets a new connection', async (_what, work) => {
    await expect(work()).rejects.toThrow(/terminat|connection|queryable/i);
    expect(await database.read(null, PID)).toHaveLength(1);
  });

  // In a process of its own, because Jest ignores a rejection that is handled later, and Node does not.
  it('does not end the process if nobody waits for the statement that it fails', async () => {
    const script = `
      import { Database } from '@po/database';
      import { createLogger } from '@po/platform';
      const logger = createLogger('test', 'silent');
      const database = new Database({ url: process.argv[1], name: 'broken', poolSize: 1, logger });
      await database.connect();
      const transaction = database.transaction(null, (send) => {
        void send('SELECT pg_terminate_backend(pg_backend_pid())');
        return send('SELECT 1');
      });
      console.log(await transaction.catch(({ message }) => message));
      await database.close();`;
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, databaseUrl()]);
    expect((await ended).stdout).toMatch(/terminat/i);
  });
});
