import { progress } from '../lifetime.js';
import type { Quantiles } from '../load/quantiles.js';
import type { ScaleContext } from './context.js';
import { type HttpFigures, type HttpRequest, timedOverHttp } from './http.js';
import { type Act, timed } from './timing.js';

/** Something a user asks for, and the least that PostgreSQL must do for it. */
export interface Asked {
  name: string;
  /** The request of this number, from 0. */
  http: (nth: number) => HttpRequest;
  /** Null where no store is needed. */
  sql: Act | null;
  /** Brings about, before each of either, what it needs. */
  before?: Act;
  /** How often it can be asked at most. */
  most?: number;
}

export interface RequestRow {
  name: string;
  sql: Quantiles | null;
  http: HttpFigures;
}

/** Each one after another on one connection, straight in SQL and then over HTTP; none pays for what an earlier one caused. */
export async function measureRequests(
  { stack, settlement, options }: ScaleContext,
  asked: readonly Asked[],
): Promise<RequestRow[]> {
  const rows: RequestRow[] = [];
  for (const { name, http, sql, before, most = Infinity } of asked) {
    progress(name);
    const requests = Math.min(options.requests, most);
    const straight = sql && (await timed(requests, sql, before));
    const overHttp = await timedOverHttp(stack.gatewayUrl, { connections: 1, requests, before }, http);
    rows.push({ name, sql: straight, http: overHttp });
    await settlement.settled();
  }
  return rows;
}

/** The lookup of actions: it passes HTTP, Kafka and the service, which answers from its memory. */
export function measureTransport(context: ScaleContext): Promise<RequestRow[]> {
  const path = '/lookups/actions?statusId=100&role=BUYER';
  const http = () => ({ method: 'GET', path, token: context.buyerToken }) as const;
  return measureRequests(context, [{ name: 'transport alone (GET /lookups/actions)', http, sql: null }]);
}
