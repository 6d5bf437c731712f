import { createLogger } from '@po/platform';
import { Databases } from '@po/purchase-orders/dist/store/databases.js';
import { asRole } from '@po/testing/service-databases';
import type { Assortment } from '#local/generator/orders.js';
import { progress } from '../lifetime.js';
import { Connection } from '../load/connection.js';
import { type Call, timed } from '../load/loops.js';
import { requestText } from '../load/requests.js';
import type { Quantiles } from '../report.js';
import type { BenchStack } from '../stack.js';

export interface ScaleContext {
  stack: BenchStack;
  assortment: Assortment;
  connections: readonly number[];
  /** Of each kind and number of connections. */
  requests: number;
}

export interface HttpRequest {
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** After `/api`. */
  path: string;
  token: string;
  body?: unknown;
}

/** A request, and the least that PostgreSQL must do for it. */
export interface Measurement {
  name: string;
  /** The request of this number, from 0. */
  http: (nth: number) => HttpRequest;
  /** Null where no store is needed. */
  sql: Call | null;
  /** Runs before each of both, unmeasured. */
  before?: Call;
  /** How often it can be made at most. */
  most?: number;
}

export interface RequestRow {
  name: string;
  sql: Quantiles | null;
  http: Quantiles;
  /** The answers other than 200. */
  failures: string[];
}

/** Makes so many requests over HTTP, one in flight on each connection. */
export async function timedOverHttp(
  url: string,
  { connections, requests, before }: { connections: number; requests: number; before?: Call | undefined },
  next: (nth: number) => HttpRequest,
): Promise<Omit<RequestRow, 'name' | 'sql'>> {
  const lanes = Array.from({ length: connections }, () => new Connection(new URL(url)));
  const failures: string[] = [];
  const call: Call = async (nth, lane) => {
    const { method, path, token, body } = next(nth);
    const answer = await (lanes[lane] as Connection).exchange(requestText(method, `/api${path}`, token, body));
    if (answer.status !== 200) failures.push(`${answer.status} ${answer.body.toString('utf8', 0, 300)}`);
  };
  const http = await timed(requests, call, before, connections);
  for (const connection of lanes) connection.close();
  return { http, failures };
}

/** Each measurement on one connection, in SQL and then over HTTP; none pays for the effects of an earlier one. */
export async function measureRequests(
  { stack, requests: wanted }: ScaleContext,
  measurements: readonly Measurement[],
): Promise<RequestRow[]> {
  const rows: RequestRow[] = [];
  for (const { name, http, sql, before, most = Infinity } of measurements) {
    progress(name);
    const requests = Math.min(wanted, most);
    const direct = sql && (await timed(requests, sql, before));
    rows.push({ name, sql: direct, ...(await timedOverHttp(stack.url, { connections: 1, requests, before }, http)) });
    await stack.settled();
  }
  return rows;
}

/** Runs `run` with the order service's own pools, of one connection each. */
export async function withOrders<T>({ stack }: ScaleContext, run: (databases: Databases) => Promise<T>): Promise<T> {
  const url = stack.file.databaseUrls.purchaseOrders;
  const urls = { internalUrl: asRole(url, 'po_internal'), vendorUrl: asRole(url, 'po_vendor') };
  const databases = new Databases({ ...urls, poolSize: 1, logger: createLogger('bench', 'warn') });
  await databases.connect();
  return run(databases).finally(() => databases.close());
}
