import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Statement } from '@po/database';
import { changedRow } from '../fixtures/changed-row.js';
import { explainQueries, nodesOf } from '../fixtures/explained-lists.js';
import { exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { DUE, OLDEST_DUE } from './due-reminders.js';
import { OUTDATED } from './recompute-reminders.js';

/** Open orders, of which none is due at `NONE_DUE` and a tenth at `SOME_DUE`. */
const ORDERS = 20_000;
const STORED = new Date('2026-03-02T10:00:00Z');
const NONE_DUE = new Date('2026-03-03T10:00:00Z');
const SOME_DUE = new Date('2026-03-05T10:00:00Z');

const database = ordersDatabaseForTests();
beforeAll(async () => {
  const sample = await storeOrder(database, exampleOrder('SAMPLE'), STORED);
  await database.inspect(
    `INSERT INTO purchase_orders OVERRIDING SYSTEM VALUE
     SELECT (changed.row).*
       FROM purchase_orders o, generate_series(1, $1::integer) n,
            ${changedRow('o', `'id', o.id + n, 'po_number', 'M-' || n, 'waiting_next_due_at', o.waiting_next_due_at + n % 10 * interval '1 day'`)}
      WHERE o.id = $2`,
    [ORDERS, sample.id],
  );
  await database.inspect('VACUUM ANALYZE purchase_orders');
});

/** Of the first settings of a database. */
const generation = 1;

async function planOf({ text }: Statement, values: unknown[]) {
  const { statements } = await explainQueries(database, null, (read) =>
    read({ name: '', text: text.replace('FOR UPDATE OF o SKIP LOCKED', '') }, values),
  );
  const [statement] = statements;
  if (!statement) throw new Error('no statement was sent');
  const { plan } = statement;
  return { pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], nodes: nodesOf(plan) };
}

describe('with 20,000 open orders of which none is due', () => {
  test.each<[string, Statement, unknown[]]>([
    ['due reminders', DUE, [generation, NONE_DUE, [], 100]],
    ['the oldest due reminder', OLDEST_DUE, [generation, NONE_DUE]],
    ['reminders of older settings', OUTDATED, [generation, 500, []]],
  ])('a query for %s reads a few index pages', async (_what, statement, values) => {
    const { pages, nodes } = await planOf(statement, values);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(pages).toBeLessThan(10);
  });
});

test('with 2,000 due orders, a batch reads only its own orders', async () => {
  const { pages, nodes } = await planOf(DUE, [generation, SOME_DUE, [], 100]);
  const orders = nodes.filter((node) => node['Relation Name'] === 'purchase_orders');
  expect(orders.map((node) => node['Index Name'])).toEqual(['purchase_orders_reminders']);
  expect(Math.max(...orders.map((node) => node['Actual Rows']))).toBe(100);
  expect(pages).toBeLessThan(600);
});
