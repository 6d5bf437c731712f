import { beforeAll, describe, expect, it } from '@jest/globals';
import { documentationPages } from '../../services/gateway/src/documentation/pages.js';
import { DOCUMENT, isPathOf, methodsOf } from './document.js';
import { sendAndCheck } from './send.js';
import { startOwnGateway } from '../portal/own-gateway.js';
import { readStack } from '../support/stack.js';
import { type Companies, callersOf } from './callers.js';
import type { Caller } from '../../deploy/documents/access-rules/rule.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];
const MANAGEMENT = ['/healthz', '/readyz', '/metrics', '/version'];
const PAGES = documentationPages(true).map(({ path }) => path);
const COMPANIES: Companies = {
  own: { code: 'ROUTES', name: 'Routes' },
  other: { code: 'ELSE', name: 'Else' },
  buyerEmail: 'routes@example.com',
  tag: 'routes',
};
const paths = Object.keys(DOCUMENT.paths);
const filledIn = (path: string) => path.replaceAll(/\{\w+\}/g, 'NONE');

describe('the gateway', () => {
  let callers: [Caller, string | undefined][];
  beforeAll(async () => {
    callers = Object.entries(await callersOf(COMPANIES)) as typeof callers;
  });

  /** Answers of the gateway to each caller. `path` is the part after `/api`. */
  const answersTo = (method: string, path: string) =>
    Promise.all(
      callers.map(async ([caller, token]) => {
        const { status, body, headers } = await sendAndCheck({ method, path }, token);
        return [caller, status, (body as { code?: string } | undefined)?.code, headers.get('allow')];
      }),
    );
  const sameForAll = (...answer: unknown[]) => callers.map(([caller]) => [caller, ...answer]);

  it.each(paths)('refuses undocumented methods of a path with 405 for every caller: %s', async (path) => {
    const requestedPath = filledIn(path);
    // A literal segment may also match a parameter of another path.
    const allowed = paths.filter((one) => isPathOf(one, requestedPath)).flatMap(methodsOf);
    for (const method of METHODS.filter((name) => !allowed.includes(name))) {
      const answers = await answersTo(method, requestedPath);
      expect([method, answers.map((answer) => answer.slice(0, 3))]).toEqual([
        method,
        sameForAll(405, method === 'HEAD' ? undefined : 'METHOD_NOT_ALLOWED'),
      ]);
      const allowHeaders = new Set(answers.map(([, , , allow]) => String(allow).split(', ').toSorted().join(', ')));
      expect([...allowHeaders]).toEqual([allowed.toSorted().join(', ')]);
    }
  });

  it.each([...MANAGEMENT, '/purchase-orders/', '//purchase-orders', '/admin', '/purchase-orders/NONE/secrets'])(
    'refuses an undocumented path with 404 for every caller: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(await answersTo(method, path)).toEqual(sameForAll(404, 'ROUTE_NOT_FOUND', null));
    },
  );
});

describe('the service ports', () => {
  it.each(MANAGEMENT)('do not serve %s on the public port of the gateway', async (path) => {
    const answer = await fetch(readStack().gatewayUrl + path);
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'ROUTE_NOT_FOUND' })]);
  });

  it('serve only health, metrics and version on the management port', async () => {
    const urls = Object.values(readStack().managementUrls).flat();
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) {
      for (const path of MANAGEMENT) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
      for (const path of [...paths.map((one) => `/api${filledIn(one)}`), ...paths.map(filledIn), ...PAGES, '/'])
        expect([url, path, (await fetch(url + path)).status]).toEqual([url, path, 404]);
    }
  });
});

it('a gateway without DOCS serves no documentation pages', async () => {
  const gateway = await startOwnGateway({ DOCS: 'false' });
  try {
    for (const path of PAGES) expect([path, (await fetch(gateway.url + path)).status]).toEqual([path, 404]);
  } finally {
    await gateway.stop();
  }
});
