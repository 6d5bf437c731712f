import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ListQuery } from '@po/contracts';
import { type KnownOrder, expectedIds, knownOrders } from '../fixtures/expected-lists.js';
import { FILTERS, LIMIT, type PlanNode, SCOPES, SORTS, explainedList, pagesOf } from '../fixtures/explained-lists.js';
import { ORDERS, manyOrdersDatabase } from '../fixtures/many-orders.js';
import { type OrdersDatabase, listQuery } from '../fixtures/orders-database.js';

/** Rows that a statement takes out of the table at most: those of the page; of a search also what it listed, or what its filters leave. */
const READ = 3 * LIMIT;
const READ_BY_SEARCH = ORDERS / 10 + READ;

let database: OrdersDatabase;
let known: KnownOrder[];
beforeAll(async () => {
  database = await manyOrdersDatabase();
  known = await knownOrders(database);
}, 180_000);
afterAll(() => database.drop());

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What the list must answer. */
function expected(query: ListQuery, vendorCode: string | null) {
  const ids = expectedIds(known, query, vendorCode);
  const start = (query.page - 1) * query.limit;
  return { total: ids.length, ids: ids.slice(start, start + query.limit) };
}

describe.each(SCOPES)('in the scope of %s', (vendorCode) => {
  test.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
    '%s, in every order, on every page: the right orders, and none read that are not shown',
    async (_name, filter) => {
      for (const sort of SORTS) {
        const { total } = expected(listQuery({ ...filter, ...sort }), vendorCode);
        for (const page of pagesOf(total)) {
          const query = listQuery({ ...filter, ...sort, page, limit: LIMIT });
          const { page: answer, statements } = await explainedList(database, query, vendorCode);
          expect({ query, total: answer.total, ids: answer.rows.map(({ id }) => id) }).toEqual({
            query,
            ...expected(query, vendorCode),
          });
          for (const { text, plan } of statements) {
            const nodes = nodesOf(plan);
            const read = nodes.filter((node) => node['Relation Name'] === 'purchase_orders').map(rowsRead);
            const rows = read.reduce((sum, count) => sum + count, 0);
            if (rows > (query.search === undefined ? READ : READ_BY_SEARCH))
              throw new Error(`${JSON.stringify(query)} reads ${rows} orders by ${text}: ${JSON.stringify(nodes)}`);
          }
        }
      }
    },
    120_000,
  );
});

/** Rows that a node takes out of its table, not out of an index alone. */
function rowsRead(node: PlanNode): number {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return node['Node Type'] === 'Index Only Scan' ? (node['Heap Fetches'] ?? 0) : rows;
}
