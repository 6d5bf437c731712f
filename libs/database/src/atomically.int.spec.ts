import { randomUUID } from 'node:crypto';
import { createLogger } from '@po/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseUrl } from '../../../test/support/stores.js';
import { Database, type Statement } from './database.js';

const table = `atomically_${randomUUID().replaceAll('-', '')}`;
const INSERT: Statement = { name: 'insert', text: `INSERT INTO ${table} VALUES ($1::integer) RETURNING n` };
const ALL: Statement = { name: 'all', text: `SELECT n FROM ${table} ORDER BY n` };

describe('a transaction of hand-written statements', () => {
  const database = new Database({
    url: databaseUrl(),
    name: 'atomically',
    poolSize: 1,
    logger: createLogger('test', 'silent'),
  });
  beforeAll(async () => {
    await database.connect();
    await database.connectionPool.query(`CREATE TABLE ${table} (n integer PRIMARY KEY)`);
  });
  afterAll(async () => {
    await database.connectionPool.query(`DROP TABLE ${table}`);
    await database.close();
  });
  const stored = async () => (await database.read<{ n: number }>(null, ALL)).map(({ n }) => n);

  it('commits all its statements, also those it did not wait for', async () => {
    const result = await database.atomically(async (send) => {
      const [row] = await send<{ n: number }>(INSERT, [1]);
      void send(INSERT, [2]);
      return row?.n;
    });
    expect(result).toBe(1);
    expect(await stored()).toEqual([1, 2]);
  });

  it('stores nothing when a statement fails that nobody waited for, and says why the first failed', async () => {
    const attempt = database.atomically(async (send) => {
      await send(INSERT, [3]);
      void send(INSERT, ['three']);
      return send(INSERT, [4]);
    });
    await expect(attempt).rejects.toMatchObject({ code: '22P02' });
    await expect(database.atomically(async (send) => void send(INSERT, [1]))).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([1, 2]);
  });

  it('stores nothing when the caller throws, and its connection serves the next', async () => {
    const refusal = new Error('changed my mind');
    const attempt = database.atomically(async (send) => {
      await send(INSERT, [5]);
      throw refusal;
    });
    await expect(attempt).rejects.toBe(refusal);
    await database.atomically((send) => send(INSERT, [6]));
    expect(await stored()).toEqual([1, 2, 6]);
  });
});
