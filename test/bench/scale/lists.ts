import { ListParameters, type ListQuery } from '@po/contracts';
import { listOrders } from '@po/purchase-orders/dist/lists/list-orders.js';
import { progress } from '../lifetime.js';
import { timed } from '../load/loops.js';
import { type ScaleContext, timedOverHttp, withOrders } from './context.js';
import { type Reader, listQueries } from './list-queries.js';

/** The vendor whose orders each reads; null for all. */
const SCOPES: Record<Reader, string | null> = { buyer: null, 'large vendor': 'V0001', 'small vendor': 'V0400' };
/** More connections than these make no more requests. */
const CONNECTIONS_COUNTED = 4;

/** Every list and search, in SQL one after another, and over HTTP by number of connections. */
export function measureLists(context: ScaleContext): Promise<{ rows: object[]; notes: string[] }> {
  const { stack, assortment, requests } = context;
  return withOrders(context, async (databases) => {
    const rows: object[] = [];
    const notes: string[] = [];
    for (const { name, as, parameters } of listQueries(assortment.orders)) {
      progress(`${name}, ${as}`);
      const query: ListQuery = ListParameters.parse(parameters);
      const { database, scope, vendorCode } = databases.accessTo(SCOPES[as]);
      let total = 0;
      const sql = await timed(requests, async () => {
        ({ total } = await database.readAll(scope, (read) => listOrders(read, query, vendorCode, new Date())));
      });
      const row = { list: name, as, orders: String(total), 'SQL p50': sql.p50, 'SQL p95': sql.p95 };
      const token = vendorCode === null ? (stack.file.tokens.buyer ?? '') : await stack.vendorToken(vendorCode);
      const path = `/purchase-orders?${new URLSearchParams(parameters)}`;
      const columns: Record<string, number> = {};
      for (const connections of context.connections) {
        const load = { connections, requests: requests * Math.min(connections, CONNECTIONS_COUNTED) };
        const { http, failures } = await timedOverHttp(stack.url, load, () => ({ method: 'GET', path, token }));
        columns[`x${connections} p50`] = http.p50;
        columns[`x${connections} p95`] = http.p95;
        if (failures.length > 0) notes.push(`${name}: ${failures.length} failed, the first: ${failures[0]}`);
      }
      rows.push({ ...row, ...columns });
    }
    return { rows, notes };
  });
}
