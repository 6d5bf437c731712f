import { beforeAll, describe, expect, test } from '@jest/globals';
import { type KnownOrder, expectedIds, knownOrders } from '../fixtures/expected-lists.js';
import {
  FILTERS,
  LIMIT,
  type PlanNode,
  SCOPES,
  explainQueries,
  explainList,
  nodesOf,
  pagesOf,
  sortsOf,
} from '../fixtures/explained-lists.js';
import { ORDERS, manyOrdersForTests } from '../fixtures/many-orders.js';
import { listQuery } from '../fixtures/orders-database.js';
import { BUYERS } from './buyers.js';

/**
 * Maximum rows that a statement reads from the table: those of the page, and those filtered by PO number; for a search also the nearest
 * orders, or the orders that match its filters.
 */
const READ = 3 * LIMIT;
const READ_BY_SEARCH = ORDERS / 10 + READ;

const database = manyOrdersForTests();
let known: KnownOrder[];
beforeAll(async () => {
  known = await knownOrders(database);
});

describe.each(SCOPES)('a list in the scope of %s', (vendorCode) => {
  test.each(FILTERS.map((filter, index) => [JSON.stringify(filter), filter, index] as const))(
    'with filter %s has the right orders in each sort order and on every page, and reads no others',
    async (_name, filter, index) => {
      for (const sort of sortsOf(vendorCode, index)) {
        const ids = expectedIds(known, listQuery({ ...filter, ...sort }), vendorCode);
        for (const page of pagesOf(ids.length)) {
          const query = listQuery({ ...filter, ...sort, page, limit: LIMIT });
          const { page: answer, statements } = await explainList(database, query, vendorCode);
          expect({ query, total: answer.total, ids: answer.rows.map(({ id }) => id) }).toEqual({
            query,
            total: ids.length,
            ids: ids.slice((page - 1) * LIMIT, page * LIMIT),
          });
          for (const { text, plan } of statements) {
            const nodes = nodesOf(plan).filter((node) => node['Relation Name'] === 'purchase_orders');
            const rows = nodes.reduce((sum, node) => sum + rowsRead(node), 0);
            if (rows <= (query.search === undefined ? READ : READ_BY_SEARCH) + (query.poRef?.length ?? 0)) continue;
            const readers = nodes.map((node) => `${rowsRead(node)} by ${node['Index Name'] ?? node['Node Type']}`);
            throw new Error(`${JSON.stringify(query)} reads ${rows} orders, ${readers.join(', ')}: ${text}`);
          }
        }
      }
    },
  );
});

test.each(['牛仔裤', 'm-牛仔', '---', "5''"])(
  'a search for “%s”, for which trigrams do not suffice, uses the index of parts',
  async (search) => {
    const { statements } = await explainList(database, listQuery({ search }), null);
    const scans = statements.flatMap(({ plan }) => nodesOf(plan)).filter((node) => node['Actual Loops'] > 0);
    const indexes = new Set(scans.map((node) => node['Index Name']));
    expect([indexes.has('search_parts_lines'), indexes.has('search_texts_trigrams')]).toEqual([true, false]);
  },
);

test('the list of buyers reads one order per buyer, however many orders a buyer has', async () => {
  const { answer, statements } = await explainQueries(database, null, (read) => read<{ email: string }>(BUYERS));
  const buyers = new Set(known.map(({ buyer }) => buyer));
  expect(new Set(answer.map(({ email }) => email))).toEqual(buyers);
  const nodes = statements.flatMap(({ plan }) => nodesOf(plan));
  const read = nodes.filter((node) => node['Relation Name'] === 'purchase_orders').map(rowsRead);
  expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(buyers.size + 1);
});

/** Rows that a node reads from its table, not only from an index. */
function rowsRead(node: PlanNode): number {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return node['Node Type'] === 'Index Only Scan' ? (node['Heap Fetches'] ?? 0) : rows;
}
