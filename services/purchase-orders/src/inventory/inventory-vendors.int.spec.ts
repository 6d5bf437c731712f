import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PurchaseOrderUpserted } from '@po/contracts';
import { ContentError } from '@po/messaging';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { type OrdersDatabase, ordersDatabase } from '../fixtures/orders-database.js';

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

test('the vendor of a known order cannot be exchanged: the message is bad content, and nothing moves', async () => {
  await upsert('V-1', 1, crane('Crane'));
  const before = await inventory.traces('V-1');
  await expect(upsert('V-1', 2, { code: 'BOLT', name: 'Bolt' })).rejects.toThrow(ContentError);
  expect(await inventory.traces('V-1')).toEqual(before);
  expect(await nameOf('BOLT')).toBeUndefined();
});

test('a vendor has the last name received, without a new version of its orders', async () => {
  await upsert('V-2', 1, crane('Crane'));
  const before = await inventory.rowOf('V-2');
  await upsert('V-2', 2, crane('Crane Textiles'));
  expect(await nameOf('CRANE')).toBe('Crane Textiles');
  expect((await inventory.rowOf('V-2'))?.version).toBe(before?.version);
});

test('a message that is ignored renames nobody', async () => {
  await upsert('V-3', 2, crane('Crane Ltd.'));
  const before = await inventory.traces('V-3');
  await upsert('V-3', 2, crane('Old Crane'));
  await upsert('V-3', 1, crane('Older Crane'));
  expect([await nameOf('CRANE'), await inventory.traces('V-3')]).toEqual(['Crane Ltd.', before]);
});

test('an order is published with the name that came with it', async () => {
  await upsert('V-4', 1, crane('Crane & Sons'));
  const [published] = await inventory.outboxOf('V-4');
  const state: unknown = JSON.parse(published?.messages.at(-1)?.value ?? '');
  expect(state).toMatchObject({ vendor: 'Crane & Sons', vendorCode: 'CRANE' });
});

test('a new vendor may come with many orders at once', async () => {
  const numbers = Array.from({ length: 12 }, (_each, index) => `V-NEW-${index}`);
  await Promise.all(numbers.map((poNumber) => upsert(poNumber, 1, { code: 'NEW', name: 'New' })));
  const entries = await Promise.all(numbers.map(inventory.historyOf));
  expect(entries.map((history) => history.map(({ action }) => action))).toEqual(numbers.map(() => ['IMPORT']));
});
