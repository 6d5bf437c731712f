import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { metricsRegistry } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { recordRequest } from './access-log.js';
import { beginRequestSpan } from './request-span.js';

const lines: Record<string, unknown>[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
const app = fastify();
const leaving = new AbortController();
const EXPORTS = '/api/purchase-order-exports';
beforeAll(() => {
  app.addHook('onRequest', (request, reply, done) => {
    request.context = { startedAt: performance.now(), span: beginRequestSpan(request) } as typeof request.context;
    reply.raw.once('close', () => recordRequest(request, reply, logger));
    done();
  });
  app.get('/unanswered', () => new Promise(() => leaving.abort()));
});
afterAll(() => app.close());

const responses = async (): Promise<Record<string, number>> => {
  const { values = [] } = (await metricsRegistry.getSingleMetric('http_server_responses_total')?.get()) ?? {};
  return Object.fromEntries(values.map(({ labels, value }) => [labels['status_class'], value]));
};

const counts = async (): Promise<[labels: string, count: number][]> => {
  const text = await metricsRegistry.metrics();
  return [...text.matchAll(/^http_server_request_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(
    ([, labels = '', count]) => [labels, Number(count)],
  );
};

it('request metrics have a bounded number of series for any requests, and keep every status and the exports apart', async () => {
  expect(await responses()).toEqual({ '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 });
  const routes = Array.from({ length: 40 }, (_, index) => `/route-${index}/:id`);
  for (const url of [...routes, EXPORTS])
    app.get<{ Querystring: { status: string } }>(url, (request, reply) =>
      reply.code(Number(request.query.status)).send(),
    );
  // As many as have their own series: anybody without a token can cause 401, and any user 499.
  for (const status of [401, 499]) for (const url of routes) await app.inject(`${url}?status=${status}`);
  for (const status of [200, 404, 503])
    for (const url of routes) await app.inject(`${url.replace(':id', `PO-${status}`)}?status=${status}`);
  for (const method of ['GET', 'PROPFIND', 'LOCK', 'MKCOL'] as const)
    await app.inject({ method, url: `/none/${method}` });
  for (const status of [200, 503]) await app.inject(`${EXPORTS}?status=${status}`);

  const counted = await counts();
  const of = (part: string) => counted.filter(([labels]) => labels.includes(part));
  const sum = (entries: typeof counted) => entries.reduce((total, [, count]) => total + count, 0);
  expect(of('route="/route-7/:id",status_code="200"')).toEqual([[expect.stringContaining('method="GET"'), 1]]);
  expect(of(`route="${EXPORTS}"`)).toHaveLength(2);
  expect(counted.length).toBeLessThanOrEqual(86);
  expect([sum(of('status_code="200"')), sum(of('status_code="503"')), sum(of('status_code="404"'))]).toEqual([
    41, 41, 44,
  ]);
  expect(await responses()).toEqual({ '2xx': 41, '3xx': 0, '4xx': 124, '5xx': 41 });
  expect(of('method="(other)",route="(other)",status_code="503"')).toHaveLength(1);
  expect(counted.filter(([labels]) => /PO-|PROPFIND|none\/|LOCK/.test(labels))).toEqual([]);
});

it('a request whose client left before the response is logged and counted as 499', async () => {
  const before = await responses();
  const url = await app.listen();
  await expect(fetch(`${url}/unanswered`, { signal: leaving.signal })).rejects.toThrow('aborted');
  const line = await eventually('it is logged', () => lines.find(({ route }) => route === '/unanswered'));
  expect(line).toMatchObject({ level: 30, status: 499, aborted: true });
  expect(await responses()).toEqual({ ...before, '4xx': (before['4xx'] ?? 0) + 1 });
});
