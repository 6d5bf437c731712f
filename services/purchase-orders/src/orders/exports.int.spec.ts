import { beforeAll, expect, test } from '@jest/globals';
import {
  type ExportPlan,
  type ExportQuery,
  type ExportedLines,
  type LineItem,
  PATTERNS,
  type PurchaseOrderSummary,
} from '@po/contracts';
import { type Reply, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import {
  contextOf,
  exampleLine,
  exampleOrder,
  ordersDatabaseForTests,
  storeOrder,
} from '../fixtures/orders-database.js';
import { writesTo } from '../fixtures/writes.js';

const database = ordersDatabaseForTests();
beforeAll(async () => {
  const order = exampleOrder('X-1');
  // In the source's order, the sizes of an item need not be adjacent.
  const lines = [
    exampleLine('X-1', 0, ['C1', 'S1', 'NVY', 'M'], { qty: 10, price: 99_999_999_999_999n }),
    exampleLine('X-1', 1, ['C2', 'S2', 'RED', 'M']),
    exampleLine('X-1', 2, ['C1', 'S1', 'NVY', 'L']),
    { ...exampleLine('X-1', 3, ['C3', 'S3', 'RED', 'L']), removed: true },
  ];
  await storeOrder(database, { ...order, lines });
  await storeOrder(database, exampleOrder('X-2', { vendorCode: 'BOLT', statusId: 300 }));
  await storeOrder(database, exampleOrder('X-3'));
});

const { patchLines, transition } = writesTo(database);
const bodyOf = <T>(reply: Reply<T>): T => JSON.parse(String(serializeBody(reply))) as T;

type Actor = (typeof actors)[keyof typeof actors];
const plan = async (query: Partial<ExportQuery>, actor: Actor) =>
  (
    bodyOf(
      await database.exports.plan({ level: 'lines', ...query }, contextOf(actor, PATTERNS.planExport.type)),
    ) as ExportPlan
  ).pages.flat();
const linesOf = async (orders: number[], actor: Actor) =>
  bodyOf(await database.exports.lines({ orders }, contextOf(actor, PATTERNS.exportLines.type))) as ExportedLines[];
const ordersOf = async (orders: number[], actor: Actor) =>
  bodyOf(
    await database.exports.orders({ orders }, contextOf(actor, PATTERNS.exportOrders.type)),
  ) as PurchaseOrderSummary[];
const all = async (actor: Actor) => linesOf(await plan({ sortField: 'id' }, actor), actor);

test("an order's exported lines are the lines of its line items in the same order, with every value", async () => {
  const [first] = await all(actors.buyer);
  const { body } = await database.queries.lineItems({ poRef: 'X-1' }, contextOf(actors.buyer, PATTERNS.lineItems.type));
  const items = JSON.parse(String(serializeBody({ status: 200, headers: {}, body }))) as LineItem[];
  expect(first?.lines.map(({ rowHash }) => rowHash)).toEqual(
    items.flatMap(({ sizes, sizeOrder }) => sizeOrder.map((size) => sizes[size]?.rowHash)),
  );
  expect(first).toMatchObject({ poNumber: 'X-1', status: 'New', statusZh: '新订单', vendor: 'Acme Garments' });
  expect(first?.lines.map(({ size, color }) => `${color} ${size}`)).toEqual(['NVY M', 'NVY L', 'RED M']);
  expect(first?.lines[0]).toEqual({
    rowHash: expect.stringMatching(/^[0-9a-f]{32}$/),
    lineId: 'L1',
    code: 'C1',
    style: 'S1',
    color: 'NVY',
    size: 'M',
    originalQty: 10,
    vendorReplyQty: null,
    agreedQty: null,
    qty: 10,
    originalUnitPrice: 9_999_999_999.9999,
    vendorReplyUnitPrice: null,
    agreedUnitPrice: null,
    unitPrice: 9_999_999_999.9999,
  });
});

test('exported lines have the replies and agreed values of each line', async () => {
  const [, , third] = await all(actors.buyer);
  const rowHash = third?.lines[0]?.rowHash;
  await patchLines('X-3', [{ rowHash, vendorReplyQty: 7, vendorReplyUnitPrice: 11.25 }], actors.acme);
  const afterReply = (await all(actors.buyer))[2]?.lines[0];
  expect(afterReply).toMatchObject({
    vendorReplyQty: 7,
    qty: 7,
    agreedQty: null,
    vendorReplyUnitPrice: 11.25,
    unitPrice: 11.25,
  });
  await transition('X-3', 'SUBMIT', actors.acme);
  await transition('X-3', 'APPROVE', actors.buyer);
  const agreed = (await all(actors.buyer))[2]?.lines[0];
  expect(agreed).toMatchObject({ agreedQty: 7, agreedUnitPrice: 11.25, originalQty: 100, originalUnitPrice: 12.5 });
});

test('exported orders are summaries in the requested sequence', async () => {
  const ids = await plan({ sortField: 'id', sortDir: 'desc', level: 'orders' }, actors.viewer);
  expect((await ordersOf(ids, actors.viewer)).map(({ poNumber }) => poNumber)).toEqual(['X-3', 'X-2', 'X-1']);
  expect((await ordersOf(ids.toReversed(), actors.viewer)).map(({ poNumber }) => poNumber)).toEqual([
    'X-1',
    'X-2',
    'X-3',
  ]);
});

test('a vendor gets only its own orders, whatever filters or ids it requests', async () => {
  const allOrders = await plan({}, actors.buyer);
  expect(allOrders).toHaveLength(3);
  expect(await plan({ vendor: 'BOLT' }, actors.acme)).toEqual([]);
  expect((await all(actors.bolt)).map(({ poNumber }) => poNumber)).toEqual(['X-2']);
  expect((await linesOf(allOrders, actors.bolt)).map(({ poNumber, lines }) => [poNumber, lines.length])).toEqual([
    ['X-2', 3],
  ]);
  expect((await ordersOf(allOrders, actors.acme)).map(({ poNumber }) => poNumber).toSorted()).toEqual(['X-1', 'X-3']);
});
