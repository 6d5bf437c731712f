import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { untilAvailable } from '../support/api-client.js';
import { documentedMetrics, metricsIn } from '../support/metrics.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';

/** Requests of each kind. */
const COUNT = 500;
const MAX_SERIES = { gateway: 15_000, others: 2_000 };
/** Far below one histogram for each request. */
const MAX_NEW_SERIES = 1_000;
const CONCURRENCY = 32;
const METHODS = ['GET', 'PROPFIND', 'LOCK', 'PATCH', 'MKCOL', 'REPORT', 'DELETE', 'M-SEARCH', 'OPTIONS', 'PURGE'];

const stack = readStack();
const services = Object.entries(stack.managementUrls).map(([service, [url = '']]) => [service, url] as const);
const [gateway = ''] = stack.managementUrls.gateway;
const scraped = async (url: string) => (await fetch(`${url}/metrics`)).text();
const seriesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
afterAll(() => agent.destroy());

/** Sends a request and returns its status. Unlike fetch, it accepts every method that a gateway may get. */
const send = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Headers }>((resolve, reject) => {
    const asking = request(new URL(path, stack.gatewayUrl), { method, headers, agent }, (answer) => {
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0, headers: new Headers() }));
    });
    asking.once('error', reject).end();
  });

/** Runs `one` `count` times with bounded concurrency. */
async function all<T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results.push(await one(index));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

describe('metrics', () => {
  it('stay few and name no user after requests with hundreds of unknown orders, routes, methods and tokens', async () => {
    const nobody = `nobody-${randomUUID()}`;
    const before = seriesIn(await scraped(gateway)).length;
    const tokens = await all(100, (index) =>
      tokenOf('vendor:ACME', {
        sub: `${nobody}-${index}`,
        vendor_code: `V${index}`,
        name: `${nobody} ${index}`,
      }),
    );
    const order = `S-${randomUUID().slice(0, 8).toUpperCase()}`;
    const orders = await all(COUNT, (index) =>
      untilAvailable({ 'x-user-token': tokens[index % 100] ?? '' }, (headers) =>
        send('GET', `/api/purchase-orders/${order}-${index}`, headers),
      ),
    );
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set([404]));
    const strange = await all(COUNT, (index) =>
      send(METHODS[index % METHODS.length] ?? 'GET', `/${nobody}/${index}`, {
        'x-user-token': index % 2 === 0 ? `${nobody}.${index}.x` : (tokens[index % 100] ?? ''),
        'accept-language': `x-${index}, ${nobody.slice(0, 8)};q=0.${index % 10}`,
        traceparent: `00-${randomUUID().replaceAll('-', '')}-00000000000000${(index % 90) + 10}-01`,
      }),
    );
    expect(Math.min(...strange.map(({ status }) => status))).toBeGreaterThanOrEqual(400);

    for (const [service, url] of services) {
      const text = await scraped(url);
      const series = seriesIn(text);
      const limit = service === 'gateway' ? Math.min(MAX_SERIES.gateway, before + MAX_NEW_SERIES) : MAX_SERIES.others;
      expect([service, series.length <= limit, series.length]).toEqual([service, true, expect.any(Number)]);
      for (const made of [order, nobody, 'ACME', 'V7', 'PROPFIND', 'M-SEARCH', 'x-7'])
        expect([service, series.filter((line) => line.includes(made))]).toEqual([service, []]);
    }
    const counted = seriesIn(await scraped(gateway))
      .filter((line) => /^http_server_request_duration_seconds_count\{.*status_code="404"/.test(line))
      .map((line) => Number(line.split(' ').at(-1)));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(COUNT + COUNT / 4);
  });

  it('are exactly those in the document, with type, labels and description', async () => {
    const found = new Map<string, ReturnType<typeof metricsIn>[number]>();
    for (const [, url] of services) {
      for (const metric of metricsIn(await scraped(url))) {
        const labels = new Set([...(found.get(metric.name)?.labels ?? []), ...metric.labels]);
        found.set(metric.name, { ...metric, labels: [...labels].toSorted() });
      }
    }
    const own = [...found.values()].filter(({ name }) => !/^(process|nodejs)_/.test(name));
    const documented = new Map(documentedMetrics().map((metric) => [metric.name, metric]));
    expect(own.length).toBeGreaterThan(30);
    expect([...documented.keys()].toSorted()).toEqual(own.map(({ name }) => name).toSorted());
    for (const metric of own) {
      const described = documented.get(metric.name);
      // A metric without values shows no labels.
      const labels = metric.labels.length > 0 ? metric.labels : described?.labels;
      expect(described).toEqual({ ...metric, labels });
    }
  });
});
