import { expect, it } from '@jest/globals';
import pg from 'pg';
import { testDatabases } from './databases.js';

it('test databases are dropped only after their last client has disconnected', async () => {
  const databases = await testDatabases();
  const client = new pg.Client({ connectionString: databases.purchaseOrders.inspection });
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  await client.connect();
  const dropping = databases.drop();
  for (let query = 0; query < 300; query += 1) await client.query('SELECT 1');
  await client.end();
  await dropping;
  expect(errors).toEqual([]);
  await expect(new pg.Client({ connectionString: databases.purchaseOrders.inspection }).connect()).rejects.toThrow(
    /does not exist/,
  );
});
