import { GROUPS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import type { Assortment } from '#local/generator/orders.js';
import { progress } from '../lifetime.js';
import { closedLoop } from '../load/loops.js';
import { type Batch, allOf, announce, assortmentOf, importAll, sendAll, smallOrders } from '../orders.js';
import { type OptionsOf, choices, wholeNumber, wholeNumbers } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { type RequestKind, largeOrders, lists, writes } from './scale-requests.js';
import { rebuildDashboard } from './soak.js';

/** Higher than the revision of the other orders. */
const REVISION_OF_LARGE = 4;
/** Requests of each kind before the measurement. */
const WARM_UP = 5;
/** Connections beyond this number do not add requests. */
const CONNECTIONS_COUNTED = 4;
/** Users who are notified of each imported order of the fan-out. It imports one order for each ten orders of the run. */
const NOTIFIED = 20;
const ORDERS_AN_IMPORT = 10;
const TIMEOUT_MS = 30 * 60_000;

/** `--only` selects the measurements; `--lines` is the average number of lines of an order. */
export const OPTIONS = {
  only: choices(['import', 'lists', 'writes', 'fan-out', 'rebuild']),
  orders: wholeNumber(20_000, 1, 10_000_000),
  lines: wholeNumber(50, 1, 3_000),
  connections: wholeNumbers('1,16', 1, 64),
  requests: wholeNumber(60, 1, 10_000),
};

/** Measures the product with many orders. */
export async function measure(options: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const { only, connections, requests, ...sizes } = options;
  const assortment = assortmentOf(sizes);
  const stack = await BenchStack.start();
  const imports = await importOrders(stack, assortment, only.includes('import'));
  const report: Report = { tables: [{ title: `Import of ${sizes.orders} orders`, rows: imports }], notes: [] };
  const add = async (title: string, kinds: readonly RequestKind[], counts: readonly number[]) => {
    const rows = [];
    for (const kind of kinds) rows.push(await measureKind(stack, kind, counts, requests, report.notes));
    report.tables.push({ title, rows });
  };
  if (only.includes('lists')) {
    await add('Lists and searches, ms by number of connections', await lists(stack, assortment), connections);
  }
  if (only.includes('writes')) await add('Large orders, ms', await writes(stack, assortment), [1]);
  const effects: object[] = [];
  if (only.includes('fan-out')) effects.push(await measureFanOut(stack, Math.ceil(sizes.orders / ORDERS_AN_IMPORT)));
  if (only.includes('rebuild')) {
    progress('rebuild the dashboard');
    const startedAt = performance.now();
    await rebuildDashboard(stack.file);
    const seconds = (performance.now() - startedAt) / 1000;
    effects.push({ what: 'orders counted again by the dashboard', seconds, 'a second': sizes.orders / seconds });
  }
  report.tables.push({ title: 'Fan-out and rebuild', rows: effects });
  return report;
}

/** Measures one kind of request by number of connections, each after the effects of the previous one have settled. */
async function measureKind(
  stack: BenchStack,
  { name, next, most = Infinity }: RequestKind,
  connections: readonly number[],
  requests: number,
  notes: string[],
): Promise<object> {
  progress(name);
  const row: Record<string, unknown> = { request: name };
  for (const count of connections) {
    const load = { urls: [stack.url], connections: count };
    await closedLoop({ ...load, times: WARM_UP }, next);
    const times = Math.min(requests * Math.min(count, CONNECTIONS_COUNTED), most - WARM_UP);
    const { p50, p95, errors, firstError } = await closedLoop({ ...load, times }, next);
    Object.assign(row, { [`x${count} p50`]: p50, [`x${count} p95`]: p95 });
    if (firstError !== null) notes.push(`${name}: ${errors} failed, the first: ${firstError}`);
    await stack.settled();
  }
  return row;
}

/** Imports all orders (three times if measured) and sets their statuses. Resolves with the orders per second. */
async function importOrders(stack: BenchStack, assortment: Assortment, measured: boolean): Promise<object[]> {
  const batches: Record<string, Batch> = { new: allOf(assortment) };
  if (measured)
    Object.assign(batches, { unchanged: allOf(assortment, 2), 'another quantity': allOf(assortment, 3, 1) });
  const large = largeOrders(assortment).map((order) => ({ ...order, sourceRevision: REVISION_OF_LARGE }));
  batches['of 2,000 lines'] = { count: large.length, orderAt: (index) => large[index] as (typeof large)[number] };
  const rows: object[] = [];
  for (const [what, batch] of Object.entries(batches)) {
    progress(`import ${batch.count} orders, ${what}`);
    rows.push({ what, 'orders a second': await importAll(stack, batch) });
  }
  progress('give them statuses');
  // Statuses and flags that fit the age of an order, set by SQL, which publishes nothing. The large orders stay New.
  await stack.orders.query(
    `UPDATE purchase_orders SET has_pending_changes = id * 13 % 10 < 1, has_source_conflict = id * 17 % 100 < 2,
       status_id = CASE
         WHEN id % 100 < 3 THEN 900
         WHEN po_date > current_date - 15 THEN (ARRAY[100, 100, 150, 200])[1 + id * 7 % 4]
         WHEN po_date > current_date - 60 THEN (ARRAY[150, 200, 300, 300, 300])[1 + id * 7 % 5]
         WHEN po_date > current_date - 120 THEN (ARRAY[300, 400, 400, 400])[1 + id * 7 % 4]
         WHEN po_date > current_date - 160 THEN (ARRAY[400, 500, 500])[1 + id * 7 % 3]
         ELSE (ARRAY[500, 600, 600, 600, 600, 600, 600, 600])[1 + id * 7 % 8] END
      WHERE source_revision < $1`,
    [REVISION_OF_LARGE],
  );
  await stack.orders.query('VACUUM ANALYZE');
  return rows;
}

/** Imports orders of a vendor with 20 users while the notifications service is stopped, and measures how fast it catches up. */
async function measureFanOut(stack: BenchStack, imports: number): Promise<object> {
  progress(`import ${imports} orders that ${NOTIFIED} users are notified of`);
  const users = Array.from({ length: NOTIFIED }, (_, user) => stack.vendorToken('ACME', `bench-fan-${user}`));
  await announce(stack, await Promise.all(users));
  await stack.run('notifications', 0);
  await sendAll(stack, smallOrders(0, imports));
  await stack.settled([GROUPS.inventory, GROUPS.dashboardEvents]);
  await stack.run('notifications', 1);
  const delivered = async () => {
    // Reads the inbox counters: counting the notifications would slow down the fan-out.
    const { rows } = await stack.notifications.query<{ count: string }>(
      `SELECT COALESCE(sum(total), 0) AS count FROM inboxes WHERE user_id LIKE 'bench-fan-%'`,
    );
    return Number(rows[0]?.count);
  };
  const before = await eventually('the fan-out begins', async () => (await delivered()) || false, {
    timeoutMs: TIMEOUT_MS,
  });
  const startedAt = performance.now();
  const all = imports * NOTIFIED;
  await eventually('all are notified', async () => (await delivered()) >= all, { timeoutMs: TIMEOUT_MS });
  const seconds = (performance.now() - startedAt) / 1000;
  await stack.settled();
  return { what: 'notifications in the inboxes, of a backlog', seconds, 'a second': (all - before) / seconds };
}
