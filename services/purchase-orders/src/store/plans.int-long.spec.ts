import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OrdersDatabase, exampleOrder, ordersDatabase, storeOrder } from '../fixtures/orders-database.js';
import { SELECT_CHANGED_ACTIVITY } from './load-order.js';

const ORDERS = 250;
const ENTRIES = 30;

let database: OrdersDatabase;
beforeAll(async () => {
  database = await ordersDatabase();
  await storeOrder(database, exampleOrder('ACME-1'));
  await database.inspect('ALTER TABLE history SET (autovacuum_enabled = off)');
  await database.inspect(
    `INSERT INTO purchase_orders OVERRIDING SYSTEM VALUE
     SELECT (jsonb_populate_record(o, jsonb_build_object('id', o.id + n, 'po_number', 'COPY-' || n))).*
       FROM purchase_orders o, generate_series(1, $1::integer) n WHERE o.po_number = 'ACME-1'`,
    [ORDERS],
  );
  await database.inspect(
    `INSERT INTO history (id, order_id, po_number, vendor_code, sequence, po_version, action, from_status_id, to_status_id, actor_role, occurred_at)
     SELECT gen_random_uuid(), id, po_number, vendor_code, n + 1, n + 1, 'SUBMIT', 150, 200, 'VENDOR', now()
       FROM purchase_orders, generate_series(1, $1::integer) n`,
    [ENTRIES],
  );
});
afterAll(() => database.drop());

// What a table looks like in the minutes after a first import or a restored backup. PostgreSQL then thinks that a vendor has a handful
// of entries, and reading all of them for each transition once made it ten times as slow.
test('the latest status changes of an order cost the order, not the vendor, also before PostgreSQL has statistics', async () => {
  const acme = { setting: 'app.vendor', value: 'ACME' };
  const plan = await database.databases.vendor.transaction(acme, async (send) => {
    const rows = await send<{ 'QUERY PLAN': string }>(`EXPLAIN ${SELECT_CHANGED_ACTIVITY}`, [
      'COPY-7',
      null,
      null,
      null,
      null,
    ]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('using history_vendor_order on history');
  expect(plan).not.toContain('history_vendor_activity');
});
