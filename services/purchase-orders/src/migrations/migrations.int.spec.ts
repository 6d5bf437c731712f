import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrate } from '@po/database';
import { createLogger } from '@po/platform';
import pg from 'pg';
import { testDatabases } from '@po/testing/databases';
import { MIGRATIONS } from './migrations.js';

const logger = createLogger('test', 'silent');

describe('migrations', () => {
  let databases: Awaited<ReturnType<typeof testDatabases>>;
  beforeAll(async () => {
    databases = await testDatabases();
  });
  afterAll(() => databases.drop());

  test('two jobs at once apply each migration once, and a third run changes nothing', async () => {
    const { migrations } = databases.purchaseOrders;
    const applied = await Promise.all([
      migrate(migrations, MIGRATIONS, logger),
      migrate(migrations, MIGRATIONS, logger),
    ]);
    expect(applied.flat()).toHaveLength(MIGRATIONS.length);
    expect(await migrate(migrations, MIGRATIONS, logger)).toEqual([]);
  });

  test('every table with rows of orders has forced row-level security', async () => {
    const client = new pg.Client({ connectionString: databases.purchaseOrders.inspection });
    await client.connect();
    const { rows } = await client.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
          AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname`,
    );
    await client.end();
    // Neither holds anything of an order, and the vendor's role has no right on either.
    expect(rows.map(({ relname }) => relname)).toEqual(['migrations', 'outbox_leases']);
  });
});
