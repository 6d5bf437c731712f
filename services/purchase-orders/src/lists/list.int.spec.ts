import { beforeAll, expect, test } from '@jest/globals';
import { type ListQuery, PATTERNS, type PurchaseOrderList, type StatusId } from '@po/contracts';
import { actors } from '@po/testing/actors';
import {
  contextOf,
  exampleLine,
  exampleOrder,
  listQuery,
  ordersDatabaseForTests,
  storeOrder,
} from '../fixtures/orders-database.js';

const database = ordersDatabaseForTests();

const ORDERS: [poNumber: string, vendorCode: string, statusId: StatusId, poDate: string, xfd: string, qty: number][] = [
  ['L-1', 'ACME', 100, '2026-09-03', '2026-10-01', 30],
  ['L-2', 'BOLT', 200, '2026-09-01', '2099-01-03', 10],
  ['L-3', 'CRANE', 150, '2026-09-02', '2099-01-02', 20],
  ['L-4', 'ACME', 500, '2026-09-03', '2026-10-02', 30],
  ['L-5', 'BOLT', 100, '2026-09-05', '2099-01-04', 40],
];

beforeAll(async () => {
  for (const [poNumber, vendorCode, statusId, poDate, xfd, qty] of ORDERS) {
    const order = exampleOrder(poNumber);
    const style = `${poNumber === 'L-3' ? 'Überhose' : 'SHIRT'}_${vendorCode}`;
    const line = exampleLine(poNumber, 0, [`C-${poNumber}`, style, 'RED', 'M'], { qty, sku: `SKU%${poNumber}` });
    await storeOrder(database, {
      ...order,
      vendorCode,
      statusId,
      poDate,
      xfd: { ...order.xfd, original: xfd, source: xfd },
      factory: { ...order.factory, reply: poNumber === 'L-5' ? 'Dhaka' : null, edited: poNumber === 'L-5' },
      hasSourceConflict: poNumber === 'L-4',
      lines: [line],
    });
  }
});

async function list(query: Partial<ListQuery> = {}, actor: (typeof actors)[keyof typeof actors] = actors.buyer) {
  const reply = await database.queries.list(listQuery(query), contextOf(actor, PATTERNS.list.type));
  return { ...(reply.body as PurchaseOrderList), headers: reply.headers };
}
const found = async (query: Partial<ListQuery>, actor?: (typeof actors)[keyof typeof actors]) =>
  (await list(query, actor)).data.map(({ poRef }) => poRef);

test('a list without parameters has one page, newest orders first', async () => {
  const { data, pagination, headers } = await list();
  expect(data.map(({ poRef }) => poRef)).toEqual(['L-5', 'L-4', 'L-3', 'L-2', 'L-1']);
  expect(pagination).toEqual({ total: 5, page: 1, limit: 50, totalPages: 1 });
  expect(headers).toMatchObject({ 'x-total-count': '5', link: expect.stringContaining('rel="last"') });
  expect(data[1]).toEqual({
    id: expect.any(Number),
    poRef: 'L-4',
    poNumber: 'L-4',
    vendorCode: 'ACME',
    vendor: 'Acme Garments',
    poDate: '2026-09-03',
    originalXfd: '2026-10-02',
    vendorReplyXfd: null,
    xfDate: '2026-10-02',
    currency: 'USD',
    amount: 375,
    originalAmount: 375,
    totalQty: 30,
    originalTotalQty: 30,
    lineCount: 1,
    statusId: 500,
    status: 'Shipped',
    statusZh: '已发货',
    statusColor: '#0E7490',
    hasPendingChanges: false,
    hasSourceConflict: true,
    isOverdue: false,
    containerNumber: null,
    trackingNumber: null,
    version: 1,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    nextDue: {
      rule: 'DELIVERY_DUE',
      on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      firstOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  });
});

test.each<[Partial<ListQuery>, string[]]>([
  [{ status: ['new'] }, ['L-5', 'L-1']],
  [{ status: ['修订中', 'SHIPPED', 'nonsense'] }, ['L-4', 'L-3']],
  [{ status: ['nonsense'] }, []],
  [{ vendor: 'acme garments' }, ['L-4', 'L-1']],
  [{ vendor: 'bolt' }, ['L-5', 'L-2']],
  [{ vendor: 'acme' }, ['L-4', 'L-1']],
  [{ vendor: 'Acme' + ' Gar' }, []],
  [{ search: 'ÜBERHOSE' }, ['L-3']],
  [{ search: 'sku%l-1' }, ['L-1']],
  [{ overdue: true }, ['L-1']],
  [{ overdue: false }, ['L-5', 'L-4', 'L-3', 'L-2']],
  [{ hasPendingChanges: true }, ['L-5']],
  [{ hasPendingChanges: false }, ['L-4', 'L-3', 'L-2', 'L-1']],
  [{ hasSourceConflict: true }, ['L-4']],
  [{ status: ['New'], vendor: 'ACME', search: 'shirt', overdue: true }, ['L-1']],
])('the filter %j finds %j', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
  expect((await list(query)).pagination.total).toBe(expected.length);
});

test('pages have no gaps or repetitions, and a page past the end is empty', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ limit: 2, page, sortField: 'poDate' })));
  expect(pages.map(({ data }) => data.map(({ poRef }) => poRef))).toEqual([
    ['L-2', 'L-3'],
    ['L-1', 'L-4'],
    ['L-5'],
    [],
  ]);
  for (const { pagination } of pages) expect(pagination).toMatchObject({ total: 5, totalPages: 3, limit: 2 });
  expect(pages[1]!.headers.link).toContain('</api/purchase-orders?limit=2&sortField=poDate&page=3>; rel="next"');
  expect((await list({ page: 999_999_999_999_999 })).data).toEqual([]);
});

test('a list whose links are too long has no header for them', async () => {
  const poRef = Array.from({ length: 200 }, (_, number) => `PO-${'0'.repeat(20)}${number}`);
  expect((await list({ poRef })).headers).toEqual({ 'x-total-count': '0' });
});

test("a vendor's filter selects among its own orders and never finds others", async () => {
  expect(await found({}, actors.acme)).toEqual(['L-4', 'L-1']);
  expect(await found({ vendor: 'BOLT' }, actors.acme)).toEqual([]);
  expect(await found({ sortField: 'vendor', search: 'shirt' }, actors.acme)).toEqual(['L-1', 'L-4']);
});
