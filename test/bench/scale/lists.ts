import { ListParameters, type ListQuery } from '@po/contracts';
import { listOrders } from '@po/purchase-orders/dist/lists/list-orders.js';
import type { Databases } from '@po/purchase-orders/dist/store/databases.js';
import { progress } from '../lifetime.js';
import type { Quantiles } from '../load/quantiles.js';
import { type ScaleContext, withOrders } from './context.js';
import { type HttpFigures, timedOverHttp } from './http.js';
import { type Asker, type Question, questions } from './questions.js';
import { timed } from './timing.js';

/** The vendor whose orders each asks for; null for all. */
const SCOPES: Record<Asker, string | null> = { buyer: null, 'large vendor': 'V0001', 'small vendor': 'V0400' };
/** With more connections than these there are no more requests. */
const CONNECTIONS_COUNTED = 4;

export interface ListRow {
  name: string;
  as: Asker;
  /** Orders in the whole list. */
  total: number;
  /** Of the same statements straight from PostgreSQL, one after another. */
  sql: Quantiles;
  /** By number of connections. */
  http: Record<number, HttpFigures>;
}

/** Asks every question, straight in SQL and over HTTP. */
export function measureLists(context: ScaleContext): Promise<ListRow[]> {
  return withOrders(context, async (databases) => {
    const rows: ListRow[] = [];
    for (const question of questions(context.options.assortment.orders)) {
      progress(`${question.name}, ${question.as}`);
      rows.push(await measureList(context, databases, question));
    }
    return rows;
  });
}

async function measureList(
  { stack, options: { connections, requests }, buyerToken, vendorToken }: ScaleContext,
  databases: Databases,
  { name, as, parameters }: Question,
): Promise<ListRow> {
  const query: ListQuery = ListParameters.parse(parameters);
  const { database, scope, vendorCode } = databases.accessTo(SCOPES[as]);
  let total = 0;
  const sql = await timed(requests, async () => {
    ({ total } = await database.readAll(scope, (read) => listOrders(read, query, vendorCode, new Date())));
  });
  const token = vendorCode === null ? buyerToken : await vendorToken(vendorCode);
  const path = `/purchase-orders?${new URLSearchParams(parameters)}`;
  const http: ListRow['http'] = {};
  for (const count of connections) {
    const load = { connections: count, requests: requests * Math.min(count, CONNECTIONS_COUNTED) };
    http[count] = await timedOverHttp(stack.gatewayUrl, load, () => ({ method: 'GET', path, token }));
  }
  return { name, as, total, sql, http };
}
