import { beforeAll, expect, test } from '@jest/globals';
import type { Send } from '@po/database';
import { childTraceparent } from '@po/platform';
import { applyLinesPatch } from '../domain/edits.js';
import { changedRow } from '../fixtures/changed-row.js';
import { type PlanNode, nodesOf } from '../fixtures/explained-lists.js';
import { exampleLine, exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import type { StoredOrder } from '../store/stored-order.js';
import { updateOf, saveChange } from './order-change.js';
import { outboxEntryOf } from './outbox-entry.js';

const LINE_ITEMS = 1_000;
/** Typical orders with their number of line items, which PostgreSQL expects of every order. One in ten belongs to the vendor. */
const ORDERS = 2_000;
const TYPICAL_LINE_ITEMS = 24;

const database = ordersDatabaseForTests();
let large: StoredOrder;
beforeAll(async () => {
  const linesOf = (poNumber: string, count: number) =>
    Array.from({ length: count }, (_, index) => exampleLine(poNumber, index, [`C${index}`, `S${index}`, 'NVY', 'M']));
  large = await storeOrder(database, exampleOrder('LARGE', { lines: linesOf('LARGE', LINE_ITEMS) }));
  await storeOrder(database, exampleOrder('OWN', { lines: linesOf('OWN', TYPICAL_LINE_ITEMS) }));
  await storeOrder(
    database,
    exampleOrder('OTHER', { vendorCode: 'BOLT', lines: linesOf('OTHER', TYPICAL_LINE_ITEMS) }),
  );
  const samples = `purchase_orders o, generate_series(10, ${10 * ORDERS}, 10) n`;
  const ofEach = `WHERE o.po_number = CASE WHEN n % 100 = 0 THEN 'OWN' ELSE 'OTHER' END`;
  await database.inspect(
    `INSERT INTO purchase_orders OVERRIDING SYSTEM VALUE
     SELECT (changed.row).* FROM ${samples}, ${changedRow('o', `'id', o.id + n, 'po_number', o.po_number || n`)} ${ofEach}`,
  );
  await database.inspect(
    `INSERT INTO line_items
     SELECT (changed.row).*
       FROM (SELECT o.id, n FROM ${samples} ${ofEach}) o JOIN line_items l ON l.order_id = o.id,
            ${changedRow('l', `'order_id', l.order_id + n`)}`,
  );
  await database.inspect('VACUUM ANALYZE purchase_orders, line_items');
});

// PostgreSQL may use a generic plan for a named statement after it was executed often enough.
test('a reply to many line items is not compared with every line item of a large order, however its statement is planned', async () => {
  const replies = large.lines.map(({ rowHash }) => ({ rowHash, vendorReplyQty: 7 }));
  const change = updateOf(large, {
    after: { ...large, ...applyLinesPatch(large, replies) },
    entry: null,
    now: new Date(),
    reminderSettings: database.reminders.current,
  });
  const nodes: PlanNode[] = [];
  await database.databases.accessTo('ACME').transaction(async (send) => {
    const explaining: Send = async (statement, values) => {
      if (typeof statement === 'string') throw new Error('a change must not send a bare statement');
      const { name, text } = statement;
      const explain = (option: string) => ({ name: '', text: `EXPLAIN (${option}, FORMAT JSON) ${text}` });
      const [row] = await (name === ''
        ? send<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain('ANALYZE'), values)
        : send<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain('GENERIC_PLAN')));
      if (row) nodes.push(...nodesOf(row['QUERY PLAN'][0].Plan));
      return [];
    };
    const outbox = outboxEntryOf(change, childTraceparent(undefined));
    await saveChange(explaining, change, outbox, null);
  });
  const updates = nodes.filter((node) => node['Relation Name'] === 'line_items');
  expect(updates.length).toBeGreaterThanOrEqual(2);
  expect(nodes.flatMap((node) => node['Join Filter'] ?? [])).toEqual([]);
});
