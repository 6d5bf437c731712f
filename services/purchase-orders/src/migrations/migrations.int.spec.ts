import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OrdersDatabase, ordersDatabase } from '../fixtures/orders-database.js';

let database: OrdersDatabase;
beforeAll(async () => {
  database = await ordersDatabase();
});
afterAll(() => database.drop());

test('every table with rows of orders has forced row-level security', async () => {
  const rows = await database.inspect<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname`,
  );
  // Neither table has data of an order, and the vendor's role has no rights on them.
  expect(rows.map(({ relname }) => relname)).toEqual(['migrations', 'outbox_leases']);
});
