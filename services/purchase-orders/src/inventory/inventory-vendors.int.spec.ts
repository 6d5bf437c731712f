import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PATTERNS, type PurchaseOrderUpserted } from '@po/contracts';
import { ContentError, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { type OrdersDatabase, contextOf, ordersDatabase } from '../fixtures/orders-database.js';

let database: OrdersDatabase;
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(async () => {
  database = await ordersDatabase();
  inventory = inventoryOf(database);
});
afterAll(() => database.drop());

const upsert = (poNumber: string, sourceRevision: number, vendor: PurchaseOrderUpserted['vendor']) =>
  inventory.upsert(revision(poNumber, sourceRevision, { vendor }));
const crane = (name: string) => ({ code: 'CRANE', name });
const nameOf = async (code: string) =>
  (await database.inspect<{ name: string }>('SELECT name FROM vendors WHERE code = $1', [code]))[0]?.name;

test('a message with another vendor for a known order is rejected as bad content, and nothing changes', async () => {
  await upsert('V-1', 1, crane('Crane'));
  const before = await inventory.traces('V-1');
  await expect(upsert('V-1', 2, { code: 'BOLT', name: 'Bolt' })).rejects.toThrow(ContentError);
  expect(await inventory.traces('V-1')).toEqual(before);
  expect(await nameOf('BOLT')).toBeUndefined();
});

test('a vendor has the last name received, without new versions of its orders', async () => {
  await upsert('V-2', 1, crane('Crane'));
  const before = await inventory.rowOf('V-2');
  await upsert('V-2', 2, crane('Crane Textiles'));
  expect(await nameOf('CRANE')).toBe('Crane Textiles');
  expect((await inventory.rowOf('V-2'))?.version).toBe(before?.version);
});

test('an ignored message does not rename the vendor', async () => {
  await upsert('V-3', 2, crane('Crane Ltd.'));
  const before = await inventory.traces('V-3');
  await upsert('V-3', 2, crane('Old Crane'));
  await upsert('V-3', 1, crane('Older Crane'));
  expect([await nameOf('CRANE'), await inventory.traces('V-3')]).toEqual(['Crane Ltd.', before]);
});

test('an order is published with the vendor name of its message', async () => {
  await upsert('V-4', 1, crane('Crane & Sons'));
  const [published] = await inventory.outboxOf('V-4');
  const state: unknown = JSON.parse(published?.messages.at(-1)?.value ?? '');
  expect(state).toMatchObject({ vendor: 'Crane & Sons', vendorCode: 'CRANE' });
});

test('a write that waited for a message with a new vendor name answers and publishes the new name', async () => {
  await upsert('V-7', 1, { code: 'ACME', name: 'Acme' });
  const patch = { vendor_reply_factory: 'F2' };
  let written: ReturnType<typeof database.service.updateHeader> | undefined;
  await database.databases.internal.transaction(null, async (send) => {
    await send(`UPDATE vendors SET name = 'Acme Apparel' WHERE code = 'ACME'`);
    await send(`UPDATE purchase_orders SET version = 2 WHERE po_number = 'V-7'`);
    written = database.service.updateHeader(
      { poRef: 'V-7', patch },
      contextOf(actors.acme, PATTERNS.updateHeader.type),
    );
    await eventually('the write waits for the order', async () => {
      const waiting = await database.inspect(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return waiting.length > 0;
    });
  });
  const reply = await written;
  expect(JSON.parse(String(reply && serializeBody(reply)))).toMatchObject({ version: 3, vendor: 'Acme Apparel' });
  const published = await inventory.outboxOf('V-7');
  expect(JSON.parse(published.at(-1)?.messages.at(-1)?.value ?? '')).toMatchObject({ vendor: 'Acme Apparel' });
});

test('many orders of a new vendor may arrive concurrently', async () => {
  const numbers = Array.from({ length: 12 }, (_each, index) => `V-NEW-${index}`);
  await Promise.all(numbers.map((poNumber) => upsert(poNumber, 1, { code: 'NEW', name: 'New' })));
  const entries = await Promise.all(numbers.map(inventory.historyOf));
  expect(entries.map((history) => history.map(({ action }) => action))).toEqual(numbers.map(() => ['IMPORT']));
});

test('a repeated message or a renamed vendor makes a known detail 200 again with the same ETag, but not its line items', async () => {
  const vendor = { code: 'DUNE', name: 'Dune' };
  const conditionalContext = (type: string) => contextOf(actors.buyer, type, { ifNoneMatch: '"1"', method: 'GET' });
  const detail = (includeLineItems: boolean) =>
    database.queries.detail({ poRef: 'V-5', includeLineItems }, conditionalContext(PATTERNS.detail.type));
  const statuses = async () => [
    (await detail(false)).status,
    (await detail(true)).status,
    (await database.queries.lineItems({ poRef: 'V-5' }, conditionalContext(PATTERNS.lineItems.type))).status,
  ];
  await upsert('V-5', 1, vendor);
  expect(await statuses()).toEqual([304, 304, 304]);

  const { last_synced_at: before } = (await inventory.rowOf('V-5')) ?? {};
  await eventually('time passes', () => Date.now() > Number(before));
  await upsert('V-5', 2, vendor);
  expect(await statuses()).toEqual([200, 200, 304]);
  expect((await detail(false)).headers.etag).toBe('"1"');

  await upsert('V-6', 1, vendor);
  await database.inspect('UPDATE purchase_orders SET updated_at = now(), last_synced_at = now() WHERE po_number = $1', [
    'V-5',
  ]);
  expect(await statuses()).toEqual([304, 304, 304]);
  await upsert('V-6', 2, { code: 'DUNE', name: 'Dune Apparel' });
  expect(await statuses()).toEqual([200, 200, 304]);
  expect((await detail(false)).body).toMatchObject({ vendor: 'Dune Apparel', version: 1 });
});
