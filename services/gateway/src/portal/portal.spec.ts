import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningGateway, runGateway } from '../../../../test/support/gateway.js';
import { servePortal } from './portal.js';
import { NONCE, type Site, readSite } from './site.js';

const SETTINGS = {
  authority: 'https://login.example.com/tenant',
  clientId: 'po-portal',
  scope: 'openid',
  origins: ['https://token.example.com'],
};
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A folder as the portal's build leaves it. */
function builtSite(files: Record<string, string>): { site: URL; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'po-site-'));
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { site: pathToFileURL(`${folder}/`), remove: () => rmSync(folder, { recursive: true }) };
}

describe('the portal', () => {
  let gateway: RunningGateway;
  let bare: RunningGateway;
  let site: Site;
  beforeAll(async () => {
    const built = builtSite({
      'index.html': `<meta property="csp-nonce" nonce="${NONCE}"><script src="/assets/a-1.js" nonce="${NONCE}"></script>`,
      'signed-in-silently.html': `<script src="/assets/a-1.js" nonce="${NONCE}"></script>`,
      'built-from.txt': 'secret',
      'assets/a-1.js': 'plain',
      'assets/a-1.js.br': 'brotli',
      'assets/a-1.js.gz': 'gzip',
      'assets/notes.txt': 'not served',
    });
    site = readSite(built.site);
    built.remove();
    [gateway, bare] = await Promise.all([
      runGateway({ serve: (instance) => servePortal(instance, site, SETTINGS), corsOrigins: ['https://a.example'] }),
      runGateway(),
    ]);
  });
  afterAll(() => Promise.all([gateway.stop(), bare.stop()]));

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    gateway.call(path, { method, headers });
  const policyOf = ({ headers }: Response) =>
    Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((part) => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources.join(' ')];
      }),
    );

  it.each(['/', '/orders', '/orders/PO-1', '/orders?status=New', '/dashboard', '/import', '/signed-in', '/signed-out'])(
    'answers its page, which is never kept, at %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(await response.text()).toContain('csp-nonce');
    },
  );

  it('gives each response a nonce of its own, and allows nothing in the page but that', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get('/orders');
        const policy = policyOf(response);
        const nonce = /^'self' 'nonce-([\w+/]{22}==)'$/.exec(policy['style-src'] ?? '')?.[1] ?? '';
        expect(await response.text()).toBe(site.index.replaceAll(NONCE, nonce));
        expect(policy).toMatchObject({
          'default-src': "'none'",
          'script-src': "'self'",
          'connect-src': "'self' https://login.example.com https://token.example.com",
          'frame-src': "'self' https://login.example.com https://token.example.com",
          'base-uri': "'none'",
          'form-action': "'none'",
          'frame-ancestors': "'none'",
        });
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
    expect(nonces).not.toContain('');
  });

  it('lets itself, and nobody else, frame the page that takes a silent answer', async () => {
    const response = await get('/signed-in/silently');
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(policyOf(response)['frame-ancestors']).toBe("'self'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).not.toContain(NONCE);
  });

  it('tells its pages, anew each time, what to sign in with, and nothing else', async () => {
    const response = await get('/portal.json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ authority: SETTINGS.authority, clientId: 'po-portal', scope: 'openid' });
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', null, 'plain'],
  ])('has its files, for good, as they were compressed: %s', async (accepted, coding, bytes) => {
    // As it stands: fetch would try to read what only says that it is compressed.
    const answer = await gateway.raw(
      `GET /assets/a-1.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.endsWith(`\r\n\r\n${bytes}`)).toBe(true);
    expect(/^content-encoding: (.*)$/im.exec(answer)?.[1]?.trim() ?? null).toBe(coding);
    expect(answer).toMatch(/^cache-control: public, max-age=31536000, immutable\r$/m);
    expect(answer).toMatch(/^vary: .*Accept-Encoding\r$/m);
  });

  it.each(['/orders/a/b', '/nothing', '/Orders', '/signed-in/loudly'])(
    'shows its own page for what does not exist to a browser, as 404, and a problem to a program: %s',
    async (path) => {
      const page = await get(path, HTML);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.headers.get('cache-control')).toBe('no-store');
      const problem = await get(path, { accept: '*/*' });
      expect([problem.status, await problem.json()]).toMatchObject([404, { code: 'ROUTE_NOT_FOUND', instance: path }]);
    },
  );

  it.each(['/api', '/api/nothing', '/docs', '/problems/none', '/assets/b-2.js', '/assets/notes.txt', '/assets/'])(
    'leaves to the others what is theirs, also for a browser: %s',
    async (path) => {
      const response = await get(path, HTML);
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'ROUTE_NOT_FOUND' }]);
    },
  );

  it.each(['/assets/../index.html', '/assets/..%2findex.html', '/assets/%2e%2e/built-from.txt', '/built-from.txt'])(
    'leads to no file but its own: %s',
    async (path) => {
      const answer = await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).not.toContain('secret');
    },
  );

  it('answers HEAD as GET, and no other method', async () => {
    for (const path of ['/', '/orders/PO-1', '/portal.json', '/signed-in/silently', '/assets/a-1.js']) {
      const head = await get(path, {}, 'HEAD');
      expect([head.status, await head.text()]).toEqual([200, '']);
      const post = await get(path, {}, 'POST');
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('leaves the API as it is: a token is needed, a wrong method is 405', async () => {
    expect((await get('/api/me', HTML)).status).toBe(401);
    const response = await get('/api/purchase-orders/PO-1/transition', { ...HTML });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is not there where it is not wanted', async () => {
    for (const path of ['/', '/orders', '/portal.json', '/signed-in/silently', '/assets/a-1.js', '/nothing']) {
      const response = await bare.call(path, { headers: HTML });
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { code: 'ROUTE_NOT_FOUND' }]);
    }
  });

  it('says how it is built where it was not', () => {
    const { site: empty, remove } = builtSite({});
    expect(() => readSite(empty)).toThrow(/has no portal: node services\/portal\/build\/build\.ts builds it/);
    remove();
  });
});
