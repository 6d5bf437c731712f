import { randomUUID } from 'node:crypto';
import { createLogger } from '@po/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseUrl } from '@po/testing/stores';
import { Database, type Send, type Statement } from './database.js';

const table = `transaction_${randomUUID().replaceAll('-', '')}`;
const INSERT: Statement = { name: 'insert', text: `INSERT INTO ${table} VALUES ($1::integer) RETURNING n` };
const ALL: Statement = { name: 'all', text: `SELECT n FROM ${table} ORDER BY n` };

const newDatabase = (more: { responseTimeoutMs?: number } = {}) =>
  new Database({
    url: databaseUrl(),
    name: 'transaction',
    poolSize: 1,
    logger: createLogger('test', 'silent'),
    ...more,
  });

describe('a transaction', () => {
  const database = newDatabase();
  beforeAll(async () => {
    await database.connect();
    await database.connectionPool.query(`CREATE TABLE ${table} (n integer PRIMARY KEY)`);
  });
  afterAll(async () => {
    await database.connectionPool.query(`DROP TABLE ${table}`);
    await database.close();
  });
  const stored = async () => (await database.read<{ n: number }>(null, ALL)).map(({ n }) => n);

  it('commits all its statements, including those it did not wait for', async () => {
    const result = await database.transaction(null, async (send) => {
      const [row] = await send<{ n: number }>(INSERT, [1]);
      void send(INSERT, [2]);
      return row?.n;
    });
    expect(result).toBe(1);
    expect(await stored()).toEqual([1, 2]);
  });

  it('stores nothing if a statement fails that was not awaited, and rejects with the first error', async () => {
    const attempt = database.transaction(null, async (send) => {
      await send(INSERT, [3]);
      void send(INSERT, ['three']);
      return send(INSERT, [4]);
    });
    await expect(attempt).rejects.toMatchObject({ code: '22P02' });
    await expect(database.transaction(null, async (send) => void send(INSERT, [1]))).rejects.toMatchObject({
      code: '23505',
    });
    expect(await stored()).toEqual([1, 2]);
  });

  it('that may take longer has longer limits for its statements and for its own pauses, only until it ends', async () => {
    const LIMITS: Statement = {
      name: 'limits',
      text: `SELECT current_setting('statement_timeout') AS statement,
                    current_setting('idle_in_transaction_session_timeout') AS pause`,
    };
    const limits = (statementMs?: number) => database.transaction(null, (send) => send(LIMITS), statementMs);
    expect(await limits(50_000)).toEqual([{ statement: '50s', pause: '20s' }]);
    expect(await limits(15_000)).toEqual([{ statement: '15s', pause: '15s' }]);
    expect(await limits(6_000)).toEqual([{ statement: '6s', pause: '10s' }]);
    expect(await limits()).toEqual([{ statement: '5s', pause: '10s' }]);
  });

  it('sets the scope for row-level security only until it ends', async () => {
    const scope = { setting: 'app.vendor', value: "O'Neill" };
    const SETTING: Statement = { name: 'setting', text: `SELECT current_setting('app.vendor', true) AS value` };
    expect(await database.transaction(scope, (send) => send(SETTING))).toEqual([{ value: scope.value }]);
    expect(await database.readAll(scope, (send) => send(SETTING))).toEqual([{ value: scope.value }]);
    expect(await database.read(scope, SETTING)).toEqual([{ value: scope.value }]);
    expect(await database.read(null, SETTING)).toEqual([{ value: '' }]);
  });

  it('fails if a statement does not return the expected number of rows', async () => {
    const noOne: Statement = {
      name: 'no-one',
      text: `DELETE FROM ${table} WHERE n = $1::integer RETURNING n`,
      rows: 1,
    };
    const attempt = database.transaction(null, (send) => send(noOne, [99]));
    await expect(attempt).rejects.toThrow('no-one returned 0 rows instead of 1');
  });

  it('can change the time limit of its statements, only until it ends', async () => {
    const slow: Statement = { name: 'slow', text: 'SELECT pg_sleep($1)' };
    const canceled = { code: '57014' };
    await expect(database.transaction(null, (send) => send(slow, [1]), 50)).rejects.toMatchObject(canceled);
    await database.transaction(null, (send) => send(slow, [0.1]));
    const hasty = newDatabase({ responseTimeoutMs: 200 });
    await hasty.connect();
    await expect(hasty.transaction(null, (send) => send(slow, [0.5]))).rejects.toThrow('Query read timeout');
    await hasty.transaction(null, (send) => send(slow, [0.5]), 10_000);
    await hasty.transaction(null, (send) => send('SELECT pg_sleep(0.5)'), 10_000);
    // A busy process reads the answers to BEGIN and the scope late.
    const busy = (send: Send) => {
      const until = performance.now() + 250;
      while (performance.now() < until);
      return send(ALL);
    };
    await hasty.transaction({ setting: 'app.vendor', value: 'ACME' }, busy, 10_000);
    await hasty.close();
  });

  it('has a lock limit that fits three times into the answer limit', async () => {
    const setting = `SELECT setting::integer AS ms FROM pg_settings WHERE name = 'lock_timeout'`;
    const [{ ms } = { ms: NaN }] = await database.read<{ ms: number }>(null, setting);
    expect(3 * ms).toBeLessThan(Number(database.connectionPool.options.query_timeout));
  });

  it('stores nothing if the caller throws, and returns its connection', async () => {
    const refusal = new Error('changed my mind');
    const attempt = database.transaction(null, async (send) => {
      await send(INSERT, [5]);
      throw refusal;
    });
    await expect(attempt).rejects.toBe(refusal);
    await database.transaction(null, (send) => send(INSERT, [6]));
    expect(await stored()).toEqual([1, 2, 6]);
  });
});
