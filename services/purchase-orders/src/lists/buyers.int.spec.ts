import { beforeAll, expect, test } from '@jest/globals';
import { type ExportPlan, type Filters, type ListQuery, PATTERNS, type PurchaseOrderList } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { contextOf, exampleOrder, listQuery, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';

type Actor = Pick<(typeof actors)[keyof typeof actors], 'sub' | 'name' | 'role' | 'vendorCode' | 'locale'> & {
  email: string | null;
};

/** An address with more octets in lower case. */
const LONG = 'Ⱥ'.repeat(320);
/** An address of the maximum size that does not compress: an index entry could not contain it twice. */
const TOO_LONG = Array.from({ length: 320 }, (_, index) => String.fromCodePoint(0x20000 + index * 131)).join('');

const ORDERS: [poNumber: string, vendorCode: string, name: string | null, email: string | null][] = [
  ['B-1', 'ACME', 'Dana', 'buyer@example.com'],
  ['B-2', 'BOLT', 'Dana Reyes', 'Buyer@Example.COM'],
  ['B-3', 'ACME', 'Änne', 'ÄNNE@example.com'],
  ['B-4', 'ACME', null, null],
  ['B-5', 'BOLT', null, 'li@example.com'],
  ['B-6', 'BOLT', 'bo', LONG],
  ['B-7', 'BOLT', 'Too Long', TOO_LONG],
];

const database = ordersDatabaseForTests();
beforeAll(async () => {
  for (const [poNumber, vendorCode, buyerName, buyerEmail] of ORDERS) {
    const order = exampleOrder(poNumber, { vendorCode });
    await storeOrder(database, { ...order, terms: { ...order.terms, buyerName, buyerEmail } });
  }
});

async function list(query: Partial<ListQuery>, actor: Actor = actors.buyer) {
  const { body, headers } = await database.queries.list(listQuery(query), contextOf(actor, PATTERNS.list.type));
  const { data, pagination } = body as PurchaseOrderList;
  expect(pagination.total).toBe(data.length);
  return { found: data.map(({ poRef }) => poRef), headers };
}
const found = async (query: Partial<ListQuery>, actor?: Actor) => (await list(query, actor)).found;
const buyersOf = async (actor: Actor) =>
  ((await database.lookups.filters(contextOf(actor, PATTERNS.filters.type))).body as Filters).buyers;

test.each<[Partial<ListQuery>, string[]]>([
  [{ buyer: 'buyer@example.com' }, ['B-2', 'B-1']],
  [{ buyer: 'BUYER@EXAMPLE.COM', sortField: 'id' }, ['B-1', 'B-2']],
  [{ buyer: 'buyer@example.com', sortField: 'vendor', sortDir: 'desc' }, ['B-2', 'B-1']],
  [{ buyer: 'änne@example.com' }, ['B-3']],
  [{ buyer: 'uyer@example.com' }, []],
  [{ buyer: '%' }, []],
  [{ buyer: '' }, []],
  [{ buyer: 'buyer@example.com', vendor: 'ACME', search: 'b-' }, ['B-1']],
  [{ buyer: 'buyer@example.com', poRef: ['B-1', 'B-3'] }, ['B-1']],
  [{ poRef: ['B-5', 'B-1', 'NOBODY-1'] }, ['B-5', 'B-1']],
  [{ poRef: ['B-5', 'B-1'], sortField: 'vendor' }, ['B-1', 'B-5']],
  [{ poRef: ['NOBODY-1'] }, []],
  [{ poRef: ['B-5', 'B-1'], vendor: 'BOLT', search: 'b-5' }, ['B-5']],
])('the filter %j finds %j', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test('a buyer address of up to 1,000 octets is found; an order with a longer one is stored', async () => {
  expect(await found({ buyer: LONG })).toEqual(['B-6']);
  expect(await found({ buyer: TOO_LONG })).toEqual([]);
  expect(await found({ poRef: ['B-7'] })).toEqual(['B-7']);
});

test('the buyer "me" finds the orders of the caller, and nothing for a caller without an address', async () => {
  expect(await found({ buyer: 'me' })).toEqual(['B-2', 'B-1']);
  expect(await found({ buyer: 'me' }, { ...actors.buyer, email: 'LI@example.com' })).toEqual(['B-5']);
  expect(await found({ buyer: 'me' }, actors.admin)).toEqual([]);
  expect(await found({ buyer: 'me' }, { ...actors.buyer, email: null })).toEqual([]);
});

test('the links to other pages keep the filters as requested', async () => {
  const { headers } = await list({ buyer: 'me', poRef: ['B-1', 'B-2'] });
  expect(headers.link).toContain('&buyer=me&poRef=B-1%2CB-2&');
});

test('a vendor finds only its own orders, whatever buyer or PO numbers it filters by', async () => {
  expect(await found({ buyer: 'buyer@example.com' }, actors.acme)).toEqual(['B-1']);
  expect(await found({ buyer: 'li@example.com' }, actors.acme)).toEqual([]);
  expect(await found({ buyer: 'me' }, { ...actors.acme, email: 'buyer@example.com' })).toEqual(['B-1']);
  expect(await found({ poRef: ['B-1', 'B-2', 'B-3'] }, actors.acme)).toEqual(['B-3', 'B-1']);
  expect(await found({ poRef: ['B-1'] }, actors.bolt)).toEqual([]);
});

test('an export filtered by buyer or PO numbers has the same orders as the list', async () => {
  const exported = async (query: Partial<ListQuery>, actor: Actor) => {
    const exportQuery = { level: 'orders' as const, ...query };
    const { body } = await database.exports.plan(exportQuery, contextOf(actor, PATTERNS.planExport.type));
    return (body as ExportPlan).rows;
  };
  expect(await exported({ buyer: 'me' }, actors.buyer)).toBe(2);
  expect(await exported({ buyer: 'buyer@example.com' }, actors.acme)).toBe(1);
  expect(await exported({ buyer: 'me' }, { ...actors.buyer, email: null })).toBe(0);
  expect(await exported({ poRef: ['B-1', 'B-2'] }, actors.bolt)).toBe(1);
});

test('the list of buyers is sorted by name, with values from the newest order of each buyer; a vendor gets none', async () => {
  const expected = [
    { name: 'bo', email: LONG },
    { name: 'Dana Reyes', email: 'Buyer@Example.COM' },
    { name: 'Änne', email: 'ÄNNE@example.com' },
    { name: null, email: 'li@example.com' },
  ];
  for (const actor of [actors.buyer, actors.admin, actors.viewer]) expect(await buyersOf(actor)).toEqual(expected);
  expect([await buyersOf(actors.acme), await buyersOf(actors.bolt)]).toEqual([[], []]);
});
