import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { metricsRegistry } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { readText } from '@po/testing/documents';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { pino } from 'pino';
import { recordRequest } from './access-log.js';
import { beginRequestSpan } from './request-span.js';
import { METHODS } from './route-table.js';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const lines: Record<string, unknown>[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
const app = fastify();
const leaving = new AbortController();
const { paths } = JSON.parse(readText('libs/contracts/openapi.json')) as {
  paths: Record<string, Record<string, { responses?: object }>>;
};
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

it('every documented combination of method, route and status has its own series, and others are bounded', async () => {
  expect(await responses()).toEqual({ '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 });
  const answer = (request: FastifyRequest<{ Querystring: { status: string } }>, reply: FastifyReply) =>
    reply.code(Number(request.query.status)).send();
  const documented: [method: Method, route: string, status: string][] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses = {} }] of Object.entries(operations)) {
      const [upper, route] = [method.toUpperCase() as Method, path.replaceAll(/\{(\w+)\}/g, ':$1')];
      app.route({ method: upper, url: route, handler: answer });
      for (const status of Object.keys(responses))
        for (const each of upper === 'GET' ? [upper, 'HEAD' as const] : [upper]) documented.push([each, route, status]);
    }
  }
  app.get('/busy/:id', answer);
  expect(documented.length).toBeGreaterThan(400);
  // With room for the about 120 combinations of pages and unknown paths.
  expect(documented.filter(([, , status]) => Number(status) < 500).length).toBeLessThan(600 - 120);
  const flood = async (method: Method, statuses: number[]) => {
    for (const status of statuses) await app.inject({ method, url: `/busy/PO-${status}?status=${status}` });
  };
  // Before all others: combinations that anybody can cause.
  for (const method of [...METHODS, 'PROPFIND', 'LOCK', 'MKCOL'] as Method[])
    for (let index = 0; index < 9; index += 1) await app.inject({ method, url: `/none/${method}/${index}` });
  await flood(
    'GET',
    Array.from({ length: 50 }, () => 499),
  );
  for (const [method, route, status] of documented) await app.inject({ method, url: `${route}?status=${status}` });
  const series = new Map(await counts());
  for (const [method, route, status] of documented)
    expect([method, route, status, series.get(`method="${method}",route="${route}",status_code="${status}"`)]).toEqual([
      ...[method, route, status, 1],
    ]);

  const below500 = Array.from({ length: 299 }, (_, index) => 200 + index);
  await flood('GET', below500);
  await flood('HEAD', below500);
  await flood('HEAD', [503]);
  const counted = await counts();
  const of = (part: string) => counted.filter(([labels]) => labels.includes(part));
  expect(of('method="HEAD",route="/busy/:id",status_code="503"')).toHaveLength(1);
  expect(of('status_code="498"')).toEqual([['method="(other)",route="(other)",status_code="498"', 2]]);
  expect(of('status_code="499"')).toEqual([['method="(other)",route="(other)",status_code="499"', 50]]);
  expect(counted.filter(([labels]) => /status_code="[234]/.test(labels)).length).toBeLessThanOrEqual(600 + 300);
  expect(counted.filter(([labels]) => /PO-|PROPFIND|none\/|LOCK/.test(labels))).toEqual([]);
  expect(Object.values(await responses()).reduce((sum, each) => sum + each)).toBe(
    counted.reduce((sum, [, count]) => sum + count, 0),
  );
});

it('a request whose client left before the response is logged and counted as 499', async () => {
  const before = await responses();
  const url = await app.listen();
  await expect(fetch(`${url}/unanswered`, { signal: leaving.signal })).rejects.toThrow('aborted');
  const line = await eventually('it is logged', () => lines.find(({ route }) => route === '/unanswered'));
  expect(line).toMatchObject({ level: 30, status: 499, aborted: true });
  expect(await responses()).toEqual({ ...before, '4xx': (before['4xx'] ?? 0) + 1 });
});
