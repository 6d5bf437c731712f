import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ListQuery, STATUS, STATUSES } from '@po/contracts';
import {
  FILTERS,
  LIMIT,
  ORDERS,
  type PlanNode,
  SCOPES,
  SORTS,
  explainedList,
  pagesOf,
} from '../fixtures/explained-lists.js';
import { manyOrders } from '../fixtures/many-orders.js';
import { type OrdersDatabase, listQuery, ordersDatabase } from '../fixtures/orders-database.js';
import { fold } from '../store/search-texts.js';

/** Rows that a statement takes out of the table at most: those of the page; of a search also what it listed, or what its filters leave. */
const READ = 3 * LIMIT;
const READ_BY_SEARCH = ORDERS / 10 + READ;

/** An order as the test sees it, by a statement of its own. */
interface Known {
  id: number;
  vendor: string;
  status: number;
  poDate: string;
  xfDate: string;
  amount: string;
  pending: boolean;
  conflict: boolean;
  name: string;
  words: string[];
}

let database: OrdersDatabase;
let known: Known[];
beforeAll(async () => {
  database = await ordersDatabase();
  await manyOrders(database, ORDERS);
  known = await database.inspect<Known & { text: string }>(
    `SELECT o.id, o.vendor_code AS vendor, o.status_id AS status, o.po_date::text AS "poDate", o.xf_date::text AS "xfDate",
            lpad(o.amount::text, 12, '0') AS amount, o.has_pending_changes AS pending, o.has_source_conflict AS conflict,
            v.name_key AS name, string_to_array(trim(trailing E'\n' FROM o.search_text), E'\n') AS words
       FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`,
  );
}, 60_000);
afterAll(() => database.drop());

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What the list must answer, by looking at every order. */
function expected(query: ListQuery, vendorCode: string | null) {
  const statuses = query.status?.map((label) => STATUSES.find(({ status }) => status === label)?.statusId);
  const term = query.search && fold(query.search);
  const isOverdue = ({ xfDate, status }: Known) => xfDate < '2026-06-15' && status < STATUS.SHIPPED;
  const found = known.filter(
    (order) =>
      (vendorCode === null || order.vendor === vendorCode) &&
      (!statuses || statuses.includes(order.status as never)) &&
      (query.vendor === undefined || order.vendor === query.vendor) &&
      (query.overdue === undefined || isOverdue(order) === query.overdue) &&
      (query.hasPendingChanges === undefined || order.pending === query.hasPendingChanges) &&
      (query.hasSourceConflict === undefined || order.conflict === query.hasSourceConflict) &&
      (term === undefined || order.words.some((word) => word.includes(term))),
  );
  const keys = {
    id: () => '',
    vendor: 'name',
    poDate: 'poDate',
    xfDate: 'xfDate',
    status: 'status',
    amount: 'amount',
  } as const;
  const key = keys[query.sortField ?? 'id'];
  const valueOf = (order: Known) => (typeof key === 'string' ? order[key] : '');
  const sign = (query.sortDir ?? (query.sortField ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
  const sorted = found.toSorted((a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    return sign * (x < y ? -1 : x > y ? 1 : a.id - b.id);
  });
  const start = (query.page - 1) * query.limit;
  return { total: found.length, ids: sorted.slice(start, start + query.limit).map(({ id }) => id) };
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
