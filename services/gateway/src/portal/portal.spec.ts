import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';
import { PORTAL, describePortalServer, writeSite } from '../fixtures/portal-server.js';
import { textOf } from '@po/testing/documents';
import { servePortal } from './portal.js';
import { CLIENT_ROUTES } from './rules.js';
import { type Site, readSite } from './site.js';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A folder as the portal's build leaves it, or without anything. */
async function inFolder<T>(write: (folder: string) => Promise<void>, read: (site: URL) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'po-site-'));
  try {
    await write(folder);
    return read(pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the portal', () => {
  let gateway: RunningGateway;
  let bare: RunningGateway;
  let site: Site;
  beforeAll(async () => {
    site = await inFolder(writeSite, readSite);
    [gateway, bare] = await Promise.all([
      runGateway({
        serve: (instance) => servePortal(instance, site, { ...PORTAL, origins: [] }),
        corsOrigins: ['https://a.example'],
      }),
      runGateway(),
    ]);
  });
  afterAll(() => Promise.all([gateway.stop(), bare.stop()]));

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    gateway.call(path, { method, headers });

  describe('answers strangers', () => {
    describePortalServer(() => gateway.url);
  });

  it('has the addresses that its own router has, and those that a sign-in comes back to', () => {
    const router = textOf('services/portal/src/app/router.tsx');
    const routes = [...router.matchAll(/^ +path: '([^']+)'/gm)].map(([, path = '']) => path.replaceAll('$', ':'));
    expect(CLIENT_ROUTES).toEqual([...routes, '/signed-in', '/signed-out']);
  });

  it('may be asked where the identity provider has its endpoints, and nowhere else', async () => {
    const other = await runGateway({
      serve: (instance) => servePortal(instance, site, { ...PORTAL, origins: ['https://token.example.com'] }),
    });
    const policy = (await other.call('/')).headers.get('content-security-policy');
    await other.stop();
    expect(policy).toContain("; connect-src 'self' https://login.example.com https://token.example.com; ");
    expect(policy).toContain("; frame-src 'self' https://login.example.com https://token.example.com; ");
  });

  it('has its files in the smallest form that is accepted', async () => {
    // As it stands: fetch would try to read what only says that it is compressed.
    const answer = await gateway.raw(
      'GET /assets/a-1.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n',
    );
    expect(answer.endsWith('\r\n\r\nbrotli')).toBe(true);
    expect(answer).toMatch(/^content-encoding: br\r$/im);
  });

  it.each(['/orders/a/b', '/nothing'])('answers a program that asks for %s as everywhere', async (path) => {
    const problem = await get(path, { accept: '*/*' });
    expect([problem.status, await problem.json()]).toMatchObject([404, { code: 'ROUTE_NOT_FOUND', instance: path }]);
  });

  it.each(['/api', '/api/nothing', '/docs', '/problems/none', '/assets/b-2.js'])(
    'leaves to the others what is theirs, also for a browser: %s',
    async (path) => {
      const response = await get(path, HTML);
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'ROUTE_NOT_FOUND' }]);
    },
  );

  it('leaves the API as it is: a token is needed, a wrong method is 405', async () => {
    expect((await get('/api/me', HTML)).status).toBe(401);
    const response = await get('/api/purchase-orders/PO-1/transition', HTML);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('writes neither codes nor states of a sign-in into the log', async () => {
    gateway.lines.length = 0;
    for (const path of ['/signed-in', '/signed-in/silently', '/nothing'])
      await get(`${path}?code=c0de&state=5tate`, HTML);
    expect(gateway.lines.length).toBeGreaterThan(2);
    expect(JSON.stringify(gateway.lines)).not.toMatch(/c0de|5tate/);
  });

  it('is not there where it is not wanted', async () => {
    for (const path of ['/', '/orders', '/portal.json', '/signed-in/silently', '/assets/a-1.js', '/nothing']) {
      const response = await bare.call(path, { headers: HTML });
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { code: 'ROUTE_NOT_FOUND' }]);
    }
  });

  it('says how it is built where it was not', async () => {
    const empty = () => Promise.resolve();
    await expect(inFolder(empty, readSite)).rejects.toThrow(
      /has no portal: node services\/portal\/build\/build\.ts builds it/,
    );
  });
});
