import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PATTERNS, type PurchaseOrderList } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { type OrdersDatabase, contextOf, listQuery, ordersDatabase } from '../fixtures/orders-database.js';
import { snapshot } from '../fixtures/orders.js';
import { indexOldest } from './search-backlog.js';

let database: OrdersDatabase;
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(async () => {
  database = await ordersDatabase();
  inventory = inventoryOf(database);
});
afterAll(() => database.drop());

const withStyle = (poNumber: string, sourceRevision: number, style: string) =>
  revision(poNumber, sourceRevision, { lines: snapshot().lines.map((line) => ({ ...line, style })) });

async function found(search: string): Promise<string[]> {
  const answers = await Promise.all(
    [actors.buyer, actors.acme].map((actor) =>
      database.queries.list(listQuery({ search }), contextOf(actor, PATTERNS.list.type)),
    ),
  );
  const [all = [], own] = answers.map(({ body }) => (body as PurchaseOrderList).data.map(({ poRef }) => poRef));
  expect(own).toEqual(all);
  return all;
}

/** What the version before writes, which knows no entries. */
const writeAsBefore = (poNumber: string, text: string) =>
  database.inspect('UPDATE purchase_orders SET search_text = $2 WHERE po_number = $1', [poNumber, text]);

test('an order that a version wrote which knows no entries is found at once, and the others too', async () => {
  await inventory.upsert(withStyle('B-1', 1, 'OLDSTYLE'));
  await inventory.upsert(withStyle('B-2', 1, 'NEWSTYLE'));
  await inventory.upsert(withStyle('B-3', 1, 'NEWSTYLE'));
  await database.inspect('TRUNCATE search_entries, search_postings, search_texts');
  await writeAsBefore('B-1', 'b-1\noldstyle');
  await writeAsBefore('B-2', 'b-2\nnewstyle');
  expect(await found('oldstyle')).toEqual(['B-1']);
  expect(await found('style')).toEqual(['B-3', 'B-2', 'B-1']);
});

test('its entries are stored in the background, and what it had before finds it no more', async () => {
  await inventory.upsert(withStyle('B-4', 1, 'GONE'));
  await inventory.upsert(withStyle('B-4', 2, 'CAME'));
  await inventory.upsert(withStyle('B-5', 1, 'GONE'));
  await database.inspect(
    `UPDATE line_items SET style = 'OTHER' WHERE order_id = (SELECT id FROM purchase_orders WHERE po_number = 'B-5')`,
  );
  await writeAsBefore('B-5', 'b-5\nother');
  await writeAsBefore('B-3', 'b-3\nnewstyle');
  expect(await indexOldest(database.databases, 2)).toEqual({ deleted: 2, more: true });
  expect(await indexOldest(database.databases, 500)).toEqual({ deleted: 2, more: false });
  expect(await indexOldest(database.databases, 500)).toEqual({ deleted: 0, more: false });
  const backlog = await database.inspect(`SELECT FROM purchase_orders WHERE right(search_text, 1) <> E'\\n'`);
  expect(backlog).toEqual([]);
  expect(await found('gone')).toEqual([]);
  expect(await found('came')).toEqual(['B-4']);
  expect(await found('other')).toEqual(['B-5']);
  expect(await found('style')).toEqual(['B-3', 'B-2', 'B-1']);
  expect(await found('b-')).toEqual(['B-5', 'B-4', 'B-3', 'B-2', 'B-1']);
});

test('words of two rows are no word', async () => {
  expect(await found('b-4\ncame')).toEqual(['B-4']);
  expect(await found('-4came')).toEqual([]);
});
