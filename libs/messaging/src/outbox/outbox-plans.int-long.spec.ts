import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { OutboxFixture } from '../fixtures/outbox.js';
import { PENDING, PENDING_WITHOUT_KEYS } from './pending-rows.js';

const WAITING = 3_000;

let outbox: OutboxFixture;
beforeAll(async () => {
  outbox = await OutboxFixture.open();
  await outbox.pool.query('ALTER TABLE outbox SET (autovacuum_enabled = off)');
});
afterAll(() => outbox.close());

const fill = (client: PoolClient) =>
  client.query(
    `INSERT INTO outbox (shard, key, version, messages, bytes, traceparent)
     SELECT n % 16, 'PO-' || n, 1, '[]', 2, 't' FROM generate_series(1, $1::integer) n`,
    [WAITING],
  );

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

interface Explained {
  'QUERY PLAN': [{ Plan: Plan }];
}

/** Number of rows that all steps of a plan returned or filtered out. */
const rowsOf = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);

// A relay's query is planned while the outbox is empty, as it usually is, and the plan is cached. If a vacuum had recorded the table as
// empty, the plan once read all rows for each row of the first backlog: ten thousand rows exceed the statement timeout.
test('the relay query reads each row of a backlog only a few times, even with a plan cached for an empty table', async () => {
  const client = await outbox.pool.connect();
  const shards = `'{${Array.from({ length: 16 }, (_, shard) => shard).join()}}'`;
  await client.query('SET plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE pending (smallint[]) AS ${PENDING}`);
  await fill(client);
  await client.query('DELETE FROM outbox');
  await client.query('VACUUM outbox');
  await client.query(`EXECUTE pending (${shards})`);
  await fill(client);
  const { rows } = await client.query<Explained>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE pending (${shards})`,
  );
  client.release(true);
  expect(rowsOf((rows[0] as Explained)['QUERY PLAN'][0].Plan)).toBeLessThan(5 * WAITING);
});

test('the relay query reads each row of blocked keys only a few times, even if the outbox was empty at its last vacuum', async () => {
  const client = await outbox.pool.connect();
  await client.query('DELETE FROM outbox');
  await client.query('VACUUM outbox');
  await fill(client);
  const shards = Array.from({ length: 16 }, (_, shard) => shard);
  const without = Array.from({ length: WAITING - 10 }, (_, index) => `PO-${index + 1}`);
  const { rows } = await client.query<Explained>(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${PENDING_WITHOUT_KEYS}`, [
    shards,
    without,
  ]);
  const { rows: found } = await client.query(PENDING_WITHOUT_KEYS, [shards, without]);
  client.release(true);
  expect(found).toHaveLength(10);
  expect(rowsOf((rows[0] as Explained)['QUERY PLAN'][0].Plan)).toBeLessThan(8 * WAITING);
});
