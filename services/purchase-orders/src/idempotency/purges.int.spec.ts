import { type Batch, BatchJob } from '@po/database';
import { createLogger } from '@po/platform';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { ordersDatabaseForTests } from '../fixtures/orders-database.js';
import { DELETE_EXPIRED, purgeExpired, purgesOf } from './purges.js';

const ROWS = 500;
const EXPIRED = 50_000;
const LIVE = 100;
const logger = createLogger('test', 'silent');

const TABLES = {
  command_log: `INSERT INTO command_log SELECT 'key-' || n, 'ACME', 'command-' || n, '', 200, '{}', '{}', now() + $2::interval
                  FROM generate_series($1::int, $1 + $3 - 1) n`,
  command_refusals: `INSERT INTO command_refusals SELECT 'command-' || n, 'ACME', 'PO_NOT_FOUND', '{}', '{}', now() + $2::interval
                       FROM generate_series($1::int, $1 + $3 - 1) n`,
} as const;

const database = ordersDatabaseForTests();

describe.each(['command_log', 'command_refusals'] as const)('the expired rows of %s', (table) => {
  const add = (from: number, count: number, expiresIn: string) =>
    database.inspect(TABLES[table], [from, expiresIn, count]);
  const left = async () => {
    const [row] = await database.inspect<{ expired: number; live: number }>(
      `SELECT count(*) FILTER (WHERE expires_at < now())::int AS expired, count(*) FILTER (WHERE expires_at > now())::int AS live
         FROM ${table}`,
    );
    return row;
  };
  // Otherwise autovacuum collects statistics, which TRUNCATE keeps.
  beforeAll(() => database.inspect(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`));
  beforeEach(async () => {
    await database.inspect(`TRUNCATE ${table}`);
    await add(0, LIVE, '1 hour');
  });

  it('are deleted in small batches, one transaction each, by two concurrent replicas, and live rows stay', async () => {
    await add(LIVE, EXPIRED, '-1 second');
    const batches: Batch[] = [];
    const replicas = [1, 2].map(
      () =>
        new BatchJob({
          name: table,
          everyMs: 1,
          batch: async (rows) => {
            const batch = await purgeExpired(database.databases, table, rows);
            batches.push(batch);
            return batch;
          },
          logger,
          firstMs: 0,
          pauseMs: 0,
        }),
    );
    for (const replica of replicas) replica.start();
    await eventually('all expired rows are deleted', async () => (await left())?.expired === 0);
    await Promise.all(replicas.map((replica) => replica.stop()));
    expect(batches.reduce((sum, { done }) => sum + done, 0)).toBe(EXPIRED);
    expect(Math.max(...batches.map(({ done }) => done))).toBeLessThanOrEqual(ROWS);
    expect(batches.length).toBeGreaterThanOrEqual(EXPIRED / ROWS);
    expect(await left()).toEqual({ expired: 0, live: LIVE });
  });

  it('are skipped without waiting while another transaction has locked them', async () => {
    await add(LIVE, 10, '-1 second');
    const key = table === 'command_log' ? 'key_hash' : 'command_id';
    await database.databases.internal.transaction(null, async (send) => {
      await send(`UPDATE ${table} SET expires_at = now() + interval '1 hour' WHERE ${key} LIKE '%-${LIVE}'`);
      expect(await purgeExpired(database.databases, table, 5)).toEqual({ done: 5, more: true });
      expect(await purgeExpired(database.databases, table, 5)).toEqual({ done: 4, more: false });
    });
    expect(await left()).toEqual({ expired: 0, live: LIVE + 1 });
  });

  // Explains the actual statement: live rows must not be read, however many there are.
  it('are found by the index, even before PostgreSQL has statistics', async () => {
    await add(LIVE, EXPIRED, '1 hour');
    const plan = await database.databases.internal.transaction(null, async (send) => {
      const rows = await send<{ 'QUERY PLAN': string }>(`EXPLAIN ${DELETE_EXPIRED[table].text}`, [ROWS, new Date()]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain(`Index Scan using ${table}_expiry on ${table}`);
    expect(plan).toContain(`${table}_pkey`);
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('the service', () => {
  it('deletes the expired rows of both tables', async () => {
    const purges = purgesOf(database.databases, logger, { firstMs: 0 });
    for (const table of ['command_log', 'command_refusals'] as const) {
      await database.inspect(`TRUNCATE ${table}`);
      await database.inspect(TABLES[table], [0, '-1 second', 3]);
    }
    for (const purge of purges) purge.start();
    await eventually('both tables are empty', async () => {
      const rows = await database.inspect('SELECT 1 FROM command_log UNION ALL SELECT 1 FROM command_refusals');
      return rows.length === 0;
    });
    await Promise.all(purges.map((purge) => purge.stop()));
  });
});
