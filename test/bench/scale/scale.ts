import { Agent, get } from 'node:http';
import { ListParameters, type ListQuery } from '@po/contracts';
import { listOrders } from '@po/purchase-orders/dist/lists/list-orders.js';
import { Databases } from '@po/purchase-orders/dist/store/databases.js';
import { createLogger } from '@po/platform';
import { asRole } from '#local/stores/databases.js';
import { demoToken } from '#local/stack/identity-provider.js';
import { loadKeys } from '#local/stack/keys.js';
import { quantileIn } from '../load/quantiles.js';
import type { RunningStack } from '../stack-process.js';
import type { Settlement } from '../settlement.js';
import type { ScaleOptions } from './options.js';
import { age, importAll } from './prepare.js';
import { type Asker, type Question, questions } from './questions.js';

const SCOPES: Record<Asker, string | null> = { buyer: null, 'large vendor': 'V0001', 'small vendor': 'V0400' };
const WARM_UP = 5;

interface Percentiles {
  p50: number;
  p95: number;
}

export interface ScaleRow {
  name: string;
  as: Asker;
  /** Orders in the whole list. */
  total: number;
  /** Milliseconds of the same statements straight from PostgreSQL, one after another. */
  sql: Percentiles;
  /** Milliseconds over HTTP, by number of connections. */
  http: Record<number, Percentiles>;
  /** Answers other than 200. */
  failed: number;
}

export interface ScaleResults {
  orders: number;
  /** Orders a second: new ones, the same again, and a newer revision with another quantity. */
  imports: { created: number; unchanged: number; changed: number };
  rows: ScaleRow[];
}

/** Imports the orders into an empty stack, three times, and asks every question, over HTTP and straight in SQL. */
export async function measureScale(
  { folder, stack }: RunningStack,
  settlement: Settlement,
  { assortment, connections, requests }: ScaleOptions,
  progress: (line: string) => void,
): Promise<ScaleResults> {
  const { orders } = assortment;
  const importing = async (what: string, revise: Parameters<typeof importAll>[3]) => {
    progress(`import ${orders} orders, ${what}`);
    return importAll(stack, settlement, assortment, revise);
  };
  const imports = {
    created: await importing('new', (order) => order),
    unchanged: await importing('the same again', (order) => ({ ...order, sourceRevision: 2 })),
    changed: await importing('with another quantity', ({ lines: [line, ...lines], ...order }) => ({
      ...order,
      sourceRevision: 3,
      lines: line ? [{ ...line, qty: line.qty + 1 }, ...lines] : lines,
    })),
  };
  progress('give them statuses');
  await age(settlement);
  const { identity } = await loadKeys(folder);
  const tokenOf = (as: Asker) => {
    const vendor_code = SCOPES[as];
    const key = { key: identity, issuer: stack.issuer, audience: stack.audience };
    return vendor_code === null ? demoToken(key, 'buyer', {}) : demoToken(key, 'vendor:ACME', { vendor_code });
  };
  const url = stack.databaseUrls.purchaseOrders;
  const urls = { internalUrl: asRole(url, 'po_internal'), vendorUrl: asRole(url, 'po_vendor') };
  const databases = new Databases({ ...urls, poolSize: 1, logger: createLogger('bench', 'warn') });
  await databases.connect();
  const rows: ScaleRow[] = [];
  try {
    for (const question of questions(orders)) {
      progress(`${question.name}, ${question.as}`);
      const { total, sql } = await inSql(databases, question, requests);
      const row: ScaleRow = { name: question.name, as: question.as, total, sql, http: {}, failed: 0 };
      for (const count of connections) {
        const { percentiles, failed } = await overHttp(
          stack.gatewayUrl,
          await tokenOf(question.as),
          question,
          count,
          requests,
        );
        row.http[count] = percentiles;
        row.failed += failed;
      }
      rows.push(row);
    }
  } finally {
    await databases.close();
  }
  return { orders, imports, rows };
}

async function inSql(databases: Databases, { as, parameters }: Question, requests: number) {
  const query: ListQuery = ListParameters.parse(parameters);
  const { database, scope, vendorCode } = databases.accessTo(SCOPES[as]);
  const ask = () => database.readAll(scope, (read) => listOrders(read, query, vendorCode, new Date()));
  for (let count = 0; count < WARM_UP; count += 1) await ask();
  const times: number[] = [];
  let total = 0;
  for (let count = 0; count < requests; count += 1) {
    const startedAt = performance.now();
    ({ total } = await ask());
    times.push(performance.now() - startedAt);
  }
  return { total, sql: percentilesOf(times) };
}

async function overHttp(
  gatewayUrl: string,
  token: string,
  { parameters }: Question,
  connections: number,
  requests: number,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const url = `${gatewayUrl}/api/purchase-orders?${new URLSearchParams(parameters)}`;
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const request = get(url, { agent, headers: { 'x-user-token': token } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      request.on('error', reject);
    });
  for (let count = 0; count < WARM_UP; count += 1) await ask();
  const times: number[] = [];
  let failed = 0;
  let left = requests * Math.min(connections, 4);
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      if ((await ask()) !== 200) failed += 1;
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { percentiles: percentilesOf(times), failed };
}

function percentilesOf(times: readonly number[]): Percentiles {
  const quantile = quantileIn(times);
  return { p50: quantile(0.5), p95: quantile(0.95) };
}
