import { beforeAll, expect, test } from '@jest/globals';
import { PATTERNS, type PurchaseOrderUpserted } from '@po/contracts';
import { ContentError, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { contextOf, ordersDatabaseForTests } from '../fixtures/orders-database.js';

const database = ordersDatabaseForTests();
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(() => {
  inventory = inventoryOf(database);
});

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

test('a new name also corrects the search key of the code, which an older release may have folded differently', async () => {
  await upsert('V-8', 1, { code: 'İPEK', name: 'İpek' });
  await database.inspect(`UPDATE vendors SET code_key = 'i\u0307pek' WHERE code = 'İPEK'`);
  await upsert('V-8', 2, { code: 'İPEK', name: 'İpek Tekstil' });
  expect(await database.inspect(`SELECT code_key, name_key FROM vendors WHERE code = 'İPEK'`)).toEqual([
    { code_key: 'ipek', name_key: 'ipek tekstil' },
  ]);
});

test('an ignored message does not rename the vendor', async () => {
  await upsert('V-3', 2, crane('Crane Ltd.'));
  const before = await inventory.traces('V-3');
  await upsert('V-3', 2, crane('Old Crane'));
  await upsert('V-3', 1, crane('Older Crane'));
  expect([await nameOf('CRANE'), await inventory.traces('V-3')]).toEqual(['Crane Ltd.', before]);
});

test('a late message is ignored even if it names another vendor', async () => {
  await upsert('V-9', 3, crane('Crane'));
  const before = await inventory.traces('V-9');
  await upsert('V-9', 2, { code: 'BOLT', name: 'Bolt' });
  await upsert('V-9', 3, { code: 'BOLT', name: 'Bolt' });
  expect([await nameOf('BOLT'), await inventory.traces('V-9')]).toEqual([undefined, before]);
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

test('a repeated message and a renamed vendor change values but not the version, so a conditional read still gets 304', async () => {
  const vendor = { code: 'DUNE', name: 'Dune' };
  const contextFor = (type: string, ifNoneMatch: string | null) =>
    contextOf(actors.buyer, type, { ifNoneMatch, method: 'GET' });
  const detail = (ifNoneMatch: string | null, includeLineItems = false) =>
    database.queries.detail({ poRef: 'V-5', includeLineItems }, contextFor(PATTERNS.detail.type, ifNoneMatch));
  await upsert('V-5', 1, vendor);
  await upsert('V-5', 2, vendor);
  await upsert('V-6', 1, { code: 'DUNE', name: 'Dune Apparel' });
  const lineItems = database.queries.lineItems({ poRef: 'V-5' }, contextFor(PATTERNS.lineItems.type, '"1"'));
  const known = [await detail('"1"'), await detail('"1"', true), await lineItems];
  expect(known.map(({ status, headers }) => [status, headers.etag])).toEqual(Array(3).fill([304, '"1"']));
  const moved = { version: 1, sourceRevision: 2, vendor: 'Dune Apparel' };
  expect(await detail(null)).toMatchObject({ status: 200, headers: { etag: '"1"' }, body: moved });
});
