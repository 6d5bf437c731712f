import { expect, test } from '@jest/globals';
import { explainQueries, nodesOf } from '../fixtures/explained-lists.js';
import { BIG, ORDERS, SMALL, manyOrdersForTests } from '../fixtures/many-orders.js';
import { readSchedule } from './schedule.js';

/** The last minute of a Wednesday. */
const NOW = new Date('2026-06-17T23:59:00Z');

const database = manyOrdersForTests();

test.each([null, BIG, SMALL])(
  `the schedule of ${ORDERS} orders is read by index-only scans in the scope of %s`,
  async (vendorCode) => {
    const access = database.databases.accessTo(vendorCode);
    const { answer, statements } = await explainQueries(database, vendorCode, (send) =>
      readSchedule(access.reading(send), NOW),
    );
    const [late] = await database.inspect<{ orders: number }>(
      `SELECT count(*)::integer AS orders FROM purchase_orders
      WHERE xf_date < '2026-06-17' AND status_id < 500 AND ($1::text IS NULL OR vendor_code = $1)`,
      [vendorCode],
    );
    expect(answer.overdueTotal).toBe(late?.orders);
    const scans = statements
      .flatMap(({ plan }) => nodesOf(plan))
      .filter((node) => node['Relation Name'] === 'purchase_orders');
    expect(scans.map((node) => [node['Node Type'], node['Index Name'], node['Heap Fetches']])).toEqual([
      ['Index Only Scan', 'purchase_orders_unshipped', 0],
      ['Index Only Scan', 'purchase_orders_unshipped', 0],
    ]);
  },
);
