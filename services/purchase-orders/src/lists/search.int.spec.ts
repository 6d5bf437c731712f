import { beforeAll, expect, test } from '@jest/globals';
import { PATTERNS, type PurchaseOrderList } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { contextOf, listQuery, ordersDatabaseForTests } from '../fixtures/orders-database.js';
import { snapshot } from '../fixtures/orders.js';

const database = ordersDatabaseForTests();
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(async () => {
  inventory = inventoryOf(database);
  await inventory.upsert(withStyle('B-1', 1, 'GONE'));
  await inventory.upsert(withStyle('B-2', 1, '牛仔裤'));
  await inventory.upsert(withStyle('B-1', 2, 'CAME'));
  await inventory.upsert(withStyle('B-3', 1, 'TWIN\nSET'));
  await inventory.upsert(withStyle('G1', 1, 'DİKİŞ.ΦΟΡΕΜΑΣΑΤΕΝ'));
});

const withStyle = (poNumber: string, sourceRevision: number, style: string) =>
  revision(poNumber, sourceRevision, { lines: snapshot().lines.map((line) => ({ ...line, style })) });

/** PO numbers of the found orders. Checks that all callers who may see these orders find them, and that others do not. */
async function found(search: string): Promise<string[]> {
  const answers = await Promise.all(
    [actors.buyer, actors.acme, actors.bolt].map((actor) =>
      database.queries.list(listQuery({ search }), contextOf(actor, PATTERNS.list.type)),
    ),
  );
  const [all = [], own, others] = answers.map(({ body }) => (body as PurchaseOrderList).data.map(({ poRef }) => poRef));
  expect({ own, others }).toEqual({ own: all, others: [] });
  return all;
}

test.each([
  ['c', ['B-1']],
  ['am', ['B-1']],
  ['ame', ['B-1']],
  ['Came', ['B-1']],
  ['牛', ['B-2']],
  ['牛仔', ['B-2']],
  ['牛仔裤', ['B-2']],
  ['仔牛裤', []],
  ['仔裤仔', []],
  ['twin牛', []],
  ['-', ['B-3', 'B-2', 'B-1']],
  ['b-', ['B-3', 'B-2', 'B-1']],
  ['twin\nset', ['B-3']],
  ['twin set', ['B-3']],
  ['dikiş', ['G1']],
  ['kİ', ['G1']],
  ['ΦΟΡΕΜΑΣ', ['G1']],
  ['_', []],
  ['%%', []],
])('a search for %j finds %j', async (search, orders) => {
  expect(await found(search)).toEqual(orders);
});

test('an order is not found by words from before a change', async () => {
  for (const search of ['gone', 'go', 'o']) expect(await found(search)).toEqual([]);
});

test('a term does not match across two words', async () => {
  for (const search of ['1came', '1c', '1\ncame', '1\nc', '1 came']) expect(await found(search)).toEqual([]);
});

test('a line feed finds words that contain one, not the separators between the words of every order', async () => {
  expect(await found('\n')).toEqual(['B-3']);
});
