import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { PATTERNS } from '@po/contracts';
import pg from 'pg';
import { actors } from '@po/testing/actors';
import {
  type OrdersDatabase,
  contextOf,
  exampleOrder,
  listQuery,
  ordersDatabase,
  storeOrder,
} from '../fixtures/orders-database.js';

let database: OrdersDatabase;
let vendorRole: pg.Client;
beforeAll(async () => {
  database = await ordersDatabase();
  await storeOrder(database, exampleOrder('ACME-1'));
  await storeOrder(database, exampleOrder('BOLT-1', { vendorCode: 'BOLT' }));
  const submit = () =>
    database.service.transition(
      { poRef: 'ACME-1', request: { action: 'SUBMIT' } },
      contextOf(actors.acme, PATTERNS.transition.type),
    );
  await submit();
  // The second one stores a refusal, so that every table has a row of this vendor.
  await submit().catch(() => undefined);
  vendorRole = new pg.Client({ connectionString: database.urls.vendor });
  await vendorRole.connect();
});
afterAll(async () => {
  await vendorRole.end();
  await database.drop();
});

/** Runs one statement as the vendor's role, with or without the scope of a vendor, and rolls it back. */
async function asVendor(vendor: string | null, sql: string, values: unknown[] = []) {
  await vendorRole.query('BEGIN');
  try {
    if (vendor !== null) await vendorRole.query(`SELECT set_config('app.vendor', $1, true)`, [vendor]);
    return await vendorRole.query(sql, values);
  } finally {
    await vendorRole.query('ROLLBACK');
  }
}

const query = (type: string, actor: (typeof actors)[keyof typeof actors] = actors.bolt) => contextOf(actor, type);
const text = (value: unknown) => JSON.stringify(value);

describe('among queries,', () => {
  test('the list and its filters show a vendor only its own orders', async () => {
    for (const filter of [
      {},
      { search: 'acme' },
      { vendor: 'Acme Garments' },
      { vendor: 'ACME' },
      { status: ['Pending Approval'] },
      { buyer: 'buyer@example.com' },
      { poRef: ['ACME-1'] },
    ]) {
      const reply = await database.queries.list(listQuery(filter), query(PATTERNS.list.type));
      expect(text(reply.body)).not.toMatch(/acme/i);
    }
    const all = await database.queries.list(listQuery(), query(PATTERNS.list.type));
    expect(all.body).toMatchObject({ data: [{ poRef: 'BOLT-1' }], pagination: { total: 1 } });
  });

  test.each(['detail', 'lineItems', 'diff', 'history'] as const)(
    'the %s of a foreign order is 404 for a vendor, as for an unknown order',
    async (read) => {
      const ask = (poRef: string) =>
        read === 'detail'
          ? database.queries.detail({ poRef, includeLineItems: true }, query(PATTERNS.detail.type))
          : database.queries[read]({ poRef }, query(PATTERNS[read].type));
      const answers = await Promise.allSettled([ask('ACME-1'), ask('NOBODY-1')]);
      for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'PO_NOT_FOUND', members: {} } });
      await expect(ask('BOLT-1')).resolves.toMatchObject({ status: 200 });
    },
  );

  test('counts, activity, filters and profile show a vendor only its own data', async () => {
    const counts = await database.activity.statusCounts(query(PATTERNS.statusCounts.type));
    expect(counts.body).toMatchObject({ new: 1, pending: 0 });
    const activity = await database.activity.latestActivity(query(PATTERNS.latestActivity.type));
    expect(activity.body).toEqual([]);
    const filters = await database.lookups.filters(query(PATTERNS.filters.type));
    expect(filters.body).toMatchObject({ vendors: ['Bolt Apparel'], buyers: [] });
    const profile = await database.lookups.profile(query(PATTERNS.profile.type));
    expect(profile.body).toMatchObject({ vendorName: 'Bolt Apparel' });
  });

  test('counts, activity and filters show internal users the data of all vendors', async () => {
    const counts = await database.activity.statusCounts(query(PATTERNS.statusCounts.type, actors.viewer));
    expect(counts.body).toMatchObject({ new: 1, pending: 1 });
    const filters = await database.lookups.filters(query(PATTERNS.filters.type, actors.buyer));
    expect(filters.body).toMatchObject({
      vendors: ['Acme Garments', 'Bolt Apparel'],
      buyers: [{ name: 'Dana Reyes', email: 'buyer@example.com' }],
    });
    const activity = await database.activity.latestActivity(query(PATTERNS.latestActivity.type, actors.admin));
    expect(activity.body).toMatchObject([
      { poRef: 'ACME-1', action: 'SUBMIT', vendorCode: 'ACME', vendor: 'Acme Garments' },
    ]);
  });

  test('a list is refused for a vendor without a vendor code', async () => {
    const nobody = { ...actors.bolt, vendorCode: null };
    await expect(database.queries.list(listQuery(), contextOf(nobody, PATTERNS.list.type))).rejects.toMatchObject({
      code: 'VENDOR_NOT_LINKED',
    });
  });
});

describe('the database role of vendors', () => {
  const tables = ['purchase_orders', 'line_items', 'history', 'command_log', 'command_refusals'];

  test.each(tables)('reads nothing from %s without a scope, and only its own rows within one', async (table) => {
    expect((await asVendor(null, `SELECT * FROM ${table}`)).rows).toEqual([]);
    expect((await asVendor('', `SELECT * FROM ${table}`)).rows).toEqual([]);
    const own = await asVendor('ACME', `SELECT DISTINCT vendor_code FROM ${table}`);
    expect(own.rows).toEqual([{ vendor_code: 'ACME' }]);
    const foreign = await asVendor('BOLT', `SELECT 1 FROM ${table} WHERE vendor_code <> 'BOLT' OR vendor_code IS NULL`);
    expect(foreign.rows).toEqual([]);
  });

  test('reads only its own row of the table vendors', async () => {
    expect((await asVendor(null, 'SELECT code FROM vendors')).rows).toEqual([]);
    expect((await asVendor('BOLT', 'SELECT code FROM vendors')).rows).toEqual([{ code: 'BOLT' }]);
  });

  test('cannot change a row of another vendor or give a row away', async () => {
    const taken = await asVendor('BOLT', `UPDATE purchase_orders SET remarks = 'x' WHERE vendor_code = 'ACME'`);
    expect(taken.rowCount).toBe(0);
    const lineItems = await asVendor('BOLT', `UPDATE line_items SET negotiated = '[]' WHERE vendor_code = 'ACME'`);
    expect(lineItems.rowCount).toBe(0);
    await expect(asVendor('BOLT', `UPDATE purchase_orders SET vendor_code = 'ACME'`)).rejects.toThrow(
      'row-level security',
    );
  });

  test('cannot write anything in the name of another vendor', async () => {
    await expect(
      asVendor(
        'BOLT',
        `INSERT INTO history (id, order_id, po_number, vendor_code, sequence, po_version, action, to_status_id, actor_role, occurred_at)
         SELECT gen_random_uuid(), 1, 'ACME-1', 'ACME', 99, 99, 'CANCEL', 900, 'BUYER', now()`,
      ),
    ).rejects.toThrow('row-level security');
    // With its own code, but for a foreign order.
    const smuggled = asVendor(
      'BOLT',
      `INSERT INTO history SELECT (json_populate_record(h, json_build_object('order_id', $1::int, 'id', gen_random_uuid(), 'sequence', 99))).*
         FROM history h`,
      [(await database.inspect<{ id: number }>(`SELECT id FROM purchase_orders WHERE po_number = 'ACME-1'`))[0]!.id],
    );
    await expect(smuggled).rejects.toThrow('foreign key constraint');
    const publish = `INSERT INTO outbox (shard, key, version, messages, bytes, traceparent)
                     VALUES (0, $1, 1, '[]', 2, '')`;
    await expect(asVendor('BOLT', publish, ['ACME-1'])).rejects.toThrow('row-level security');
    await expect(asVendor('BOLT', publish, ['BOLT-1'])).resolves.toMatchObject({ rowCount: 1 });
  });

  test.each(['outbox', 'outbox_leases', 'source_cancellations', 'migrations'])('cannot read %s', async (table) => {
    await expect(asVendor('ACME', `SELECT * FROM ${table}`)).rejects.toThrow('permission denied');
  });

  test.each([
    ['added', `INSERT INTO line_items SELECT (json_populate_record(l, '{"code":"X"}')).* FROM line_items l`],
    ['moved', 'UPDATE line_items SET order_id = order_id + 1'],
    ['given away', `UPDATE line_items SET vendor_code = 'ACME'`],
    ['left out of the order', 'UPDATE line_items SET row_count = 0'],
    ['given other originals', `UPDATE line_items SET source = '[]'`],
  ])('can only change the negotiated values of its line items, which cannot be %s', async (_what, sql) => {
    await expect(asVendor('BOLT', sql)).rejects.toThrow('permission denied');
    const negotiated = await asVendor('BOLT', `UPDATE line_items SET negotiated = NULL`);
    expect(negotiated.rowCount).toBe(2);
  });

  test.each(['purchase_orders', 'line_items', 'history', 'vendors'])('cannot delete from %s', async (table) => {
    await expect(asVendor('ACME', `DELETE FROM ${table}`)).rejects.toThrow('permission denied');
  });

  test('reads only its own and the default approval policy, and cannot write any', async () => {
    for (const name of ['default', 'ACME', 'BOLT']) {
      await database.policies.put({ name, policy: NO_DIFFERENCE }, contextOf(actors.admin, PATTERNS.putPolicy.type));
    }
    const codes = async (vendor: string | null) =>
      (await asVendor(vendor, 'SELECT vendor_code AS code FROM approval_policies ORDER BY 1')).rows;
    expect(await codes('BOLT')).toEqual([{ code: 'BOLT' }, { code: null }]);
    expect(await codes(null)).toEqual([{ code: null }]);
    const values = `VALUES ('BOLT', 9, NULL, 'u', now())`;
    await expect(
      asVendor(
        'BOLT',
        `INSERT INTO approval_policies (vendor_code, version, policy, changed_by_id, changed_at) ${values}`,
      ),
    ).rejects.toThrow('permission denied');
  });

  test('loses its scope at the end of the transaction', async () => {
    await asVendor('ACME', 'SELECT 1');
    expect((await vendorRole.query('SELECT 1 FROM purchase_orders')).rows).toEqual([]);
  });
});
