import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { documentationPages } from '../../services/gateway/src/documentation/pages.js';
import { DOCUMENT, isPathOf, methodsOf } from './document.js';
import { ask } from './send.js';
import { eventually } from '@po/testing/eventually';
import { readStack, stackFolder } from '../support/stack.js';
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

describe('what is no operation', () => {
  let callers: [Caller, string | undefined][];
  beforeAll(async () => {
    callers = Object.entries(await callersOf(COMPANIES)) as typeof callers;
  });

  /** What each caller is answered by the gateway; paths begin behind `/api`. */
  const answersTo = (method: string, path: string) =>
    Promise.all(
      callers.map(async ([caller, token]) => {
        const { status, body, headers } = await ask({ method, path }, token);
        return [caller, status, (body as { code?: string } | undefined)?.code, headers.get('allow')];
      }),
    );
  const everybody = (...answer: unknown[]) => callers.map(([caller]) => [caller, ...answer]);

  it.each(paths)('has no other method than those of the document, for nobody: %s', async (path) => {
    const asked = filledIn(path);
    // A word where another path has a parameter may stand for that, too.
    const allowed = paths.filter((one) => isPathOf(one, asked)).flatMap(methodsOf);
    for (const method of METHODS.filter((name) => !allowed.includes(name))) {
      const answers = await answersTo(method, asked);
      expect([method, answers.map((answer) => answer.slice(0, 3))]).toEqual([
        method,
        everybody(405, method === 'HEAD' ? undefined : 'METHOD_NOT_ALLOWED'),
      ]);
      const told = new Set(answers.map(([, , , allow]) => String(allow).split(', ').toSorted().join(', ')));
      expect([...told]).toEqual([allowed.toSorted().join(', ')]);
    }
  });

  it.each([...MANAGEMENT, '/purchase-orders/', '//purchase-orders', '/admin', '/purchase-orders/NONE/secrets'])(
    'has no path beside those of the document, for nobody: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(await answersTo(method, path)).toEqual(everybody(404, 'ROUTE_NOT_FOUND', null));
    },
  );
});

describe('the ports', () => {
  it.each(MANAGEMENT)('have no %s where users come in', async (path) => {
    const answer = await fetch(readStack().gatewayUrl + path);
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'ROUTE_NOT_FOUND' })]);
  });

  it('have nothing but health, metrics and the version where the platform looks', async () => {
    const urls = Object.values(readStack().managementUrls).flat();
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) {
      for (const path of MANAGEMENT) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
      for (const path of [...paths.map((one) => `/api${filledIn(one)}`), ...paths.map(filledIn), ...PAGES, '/'])
        expect([url, path, (await fetch(url + path)).status]).toEqual([url, path, 404]);
    }
  });
});

describe('pages that are read without a token', () => {
  /** How a gateway answers for the pages that is started with these settings beside those of the stack. */
  async function pagesOf(name: string, settings: Record<string, string>): Promise<number[]> {
    const { kafkaBrokers, redisUrl, jwksUrl, issuer, audience } = readStack();
    const { port, management } = await takePorts(join(stackFolder(), name), ['port', 'management']);
    const { actor } = await loadKeys(stackFolder());
    const gateway = spawn(process.execPath, [join(REPOSITORY, 'services/gateway/dist/main.js')], {
      env: {
        KAFKA_BROKERS: kafkaBrokers,
        REDIS_URL: redisUrl,
        AUTH_JWKS_URL: jwksUrl,
        AUTH_ISSUER: issuer,
        AUTH_AUDIENCE: audience,
        ACTOR_SIGNING_KEY: JSON.stringify(actor),
        DRAIN_DELAY_MS: '0',
        HOST,
        PORT: String(port),
        MANAGEMENT_HOST: HOST,
        MANAGEMENT_PORT: String(management),
        ...settings,
      },
      stdio: 'ignore',
    });
    const exited = once(gateway, 'exit');
    try {
      const url = `http://${HOST}:${port}`;
      await eventually('it answers', async () => (await fetch(`${url}/api/me`)).status === 401, { timeoutMs: 30_000 });
      return await Promise.all(PAGES.map(async (path) => (await fetch(url + path)).status));
    } finally {
      gateway.kill('SIGTERM');
      await exited;
    }
  }

  it('are there by the flag alone', async () => {
    expect(await pagesOf('without-pages', {})).toEqual(PAGES.map(() => 404));
    expect(await pagesOf('with-pages', { DOCS: 'true' })).toEqual(PAGES.map(() => 200));
  }, 120_000);
});
