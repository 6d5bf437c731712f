import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ExportQuery } from '@po/contracts';
import { changedRow } from '../fixtures/changed-row.js';
import { type KnownOrder, expectedIds, knownOrders } from '../fixtures/expected-lists.js';
import { FILTERS, NOW, SCOPES, explainQueries, nodesOf, sortsOf } from '../fixtures/explained-lists.js';
import { manyOrdersForTests } from '../fixtures/many-orders.js';
import { planExport } from './export-plan.js';

const LIMIT = 50_000;

const database = manyOrdersForTests();
let known: KnownOrder[];
beforeAll(async () => {
  // Every third order has two lines, the others one.
  await database.inspect(
    `INSERT INTO line_items
     SELECT (changed.row).*
       FROM purchase_orders o, line_items l
       JOIN purchase_orders s ON s.id = l.order_id AND s.po_number = 'SAMPLE',
            ${changedRow('l', `'order_id', o.id, 'vendor_code', o.vendor_code, 'row_count', CASE WHEN o.id % 3 = 0 THEN 2 ELSE 1 END`)}
      WHERE o.po_number <> 'SAMPLE' AND l.code = 'TEE01-NVY'`,
  );
  await database.inspect('VACUUM ANALYZE line_items');
  known = await knownOrders(database);
});

const planned = (query: ExportQuery, vendorCode: string | null, limit = LIMIT) =>
  explainQueries(database, vendorCode, (read) =>
    planExport(read, query, database.databases.accessTo(vendorCode), NOW, limit),
  );

describe.each(SCOPES)('an export in the scope of %s', (vendorCode) => {
  test.each(FILTERS.map((filter, index) => [JSON.stringify(filter), filter, index] as const))(
    'with filter %s has the orders of the list in each sort order, by index-only scans',
    async (_name, filter, index) => {
      // Plans of searches are not checked, and `plans.int-long` tests their order.
      const sorts = sortsOf(vendorCode, index);
      for (const sort of filter.search === undefined ? sorts : sorts.slice(0, 2)) {
        const query: ExportQuery = { ...filter, ...sort, level: 'orders' };
        const { answer, statements } = await planned(query, vendorCode);
        expect({ query, ids: answer.pages.flat() }).toEqual({ query, ids: expectedIds(known, query, vendorCode) });
        if (query.search !== undefined) continue;
        const orders = statements
          .flatMap(({ plan }) => nodesOf(plan))
          .filter((node) => node['Relation Name'] === 'purchase_orders');
        const scans = [...new Set(orders.map((node) => node['Node Type']))];
        // A vendor has few due orders, so their rows may be read; a rule of the other side matches none.
        const few = query.due ? [[], ['Bitmap Heap Scan']] : [];
        // Orders that are filtered by PO number are read by number.
        const named = query.poRef ? [['Index Scan'], ['Bitmap Heap Scan']] : [];
        const allowed = [...few, ...named, ['Index Only Scan']];
        expect({ query, allowed }).toEqual({ query, allowed: expect.arrayContaining([scans]) });
      }
    },
  );
});

const rowsOf = (id: number): number => (id % 3 === 0 ? 2 : 1);
const allRows = (ids: readonly number[]): number => ids.reduce((sum, id) => sum + rowsOf(id), 0);

describe('the pages of a file', () => {
  test.each<[ExportQuery['level']]>([['orders'], ['lines']])(
    'at level %s have 500 rows each and contain each order once',
    async (level) => {
      const query: ExportQuery = { level, hasPendingChanges: true, sortField: 'amount' };
      const { answer } = await planned(query, null);
      expect(answer.pages.flat()).toEqual(expectedIds(known, query, null));
      expect(answer.rows).toBe(level === 'lines' ? allRows(answer.pages.flat()) : answer.pages.flat().length);
      const sizes = answer.pages.map((ids) => (level === 'lines' ? allRows(ids) : ids.length));
      expect(Math.max(...sizes)).toBe(500);
      expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(499);
    },
  );

  test('omit orders without lines', async () => {
    const [{ id } = { id: 0 }] = await database.inspect<{ id: number }>(
      "SELECT id FROM purchase_orders WHERE po_number = 'M-000001'",
    );
    const query: ExportQuery = { level: 'lines', search: 'M-000001' };
    expect((await planned(query, null)).answer).toEqual({ pages: [[id]], rows: rowsOf(id) });
    await database.inspect('UPDATE line_items SET row_count = 0 WHERE order_id = $1', [id]);
    expect((await planned(query, null)).answer).toEqual({ pages: [], rows: 0 });
    expect((await planned({ ...query, level: 'orders' }, null)).answer).toEqual({ pages: [[id]], rows: 1 });
    await database.inspect('UPDATE line_items SET row_count = $2 WHERE order_id = $1', [id, rowsOf(id)]);
  });
});

describe('a file that is too large', () => {
  const filter = { hasPendingChanges: true };
  test.each<[ExportQuery['level'], string | null]>([
    ['orders', null],
    ['orders', 'SMALL'],
    ['lines', null],
    ['lines', 'SMALL'],
  ])('of %s in the scope of %s is refused with its number of rows', async (level, vendorCode) => {
    const query: ExportQuery = { ...filter, level };
    const ids = expectedIds(known, query, vendorCode);
    const rows = level === 'lines' ? allRows(ids) : ids.length;
    const refused = { code: 'EXPORT_TOO_LARGE', status: 422, members: { rows, limit: rows - 1 } };
    await expect(planned(query, vendorCode, rows - 1)).rejects.toMatchObject(refused);
    // Also if there are more orders than the limit of rows.
    await expect(planned(query, vendorCode, 5)).rejects.toMatchObject({ members: { rows, limit: 5 } });
    expect((await planned(query, vendorCode, rows)).answer.pages.flat()).toEqual(ids);
  });
});
