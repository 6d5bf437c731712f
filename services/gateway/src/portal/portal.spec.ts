import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readText } from '@po/testing/documents';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';
import { FIXED_HEADERS } from '../http/fixed-headers.js';
import { servePortal } from './portal.js';
import { CLIENT_ROUTES, LICENCES, NONCE, SILENT_ROUTE, policyOf } from './rules.js';
import { type Site, readSite } from './site.js';

const PORTAL = { authority: 'https://login.example.com/tenant', clientId: 'po-portal', scope: 'openid profile' };
const ORIGIN = 'https://login.example.com';
const SCRIPT = 'let a = 1;'.repeat(100);
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
const NOTICES = '## react - 19.3.1 (MIT)\n';

/** Writes a portal as its build produces it, and files that must not be served. */
async function writeSite(folder: string): Promise<void> {
  const script = `<script type="module" src="/assets/a-1.js" nonce="${NONCE}"></script>`;
  const files: Record<string, string | Buffer> = {
    'index.html': `<title>Portal</title><meta property="csp-nonce" nonce="${NONCE}">${script}`,
    'signed-in-silently.html': `<title>Silent</title>${script}`,
    'built-from.txt': 'secret',
    'assets/a-1.js': SCRIPT,
    'assets/b-2.png': PICTURE,
    'assets/notes.txt': 'secret',
    [LICENCES.slice(1)]: NOTICES,
  };
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  for (const [name, content] of Object.entries({ 'assets/a-1.js': SCRIPT, [LICENCES.slice(1)]: NOTICES })) {
    // Another text than that of the file, to show that this file is served.
    await writeFile(join(folder, `${name}.gz`), gzipSync(`${content}\n`));
    await writeFile(join(folder, `${name}.br`), 'brotli');
  }
}

interface Answer {
  headers: Record<string, string>;
  body: Buffer;
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ADDRESSES = CLIENT_ROUTES.map((route) => route.replace(':poRef', 'PO-1'));
const UNKNOWN = [
  ...['/assets', '/assets/', '/assets/b-2.js', '/assets/notes.txt', '/assets/a-1.js/', '/assets/a-1.js.gz'],
  ...['/assets/a-1.js.br', '/api', '/api/nothing', '/docs', '/problems/none'],
];
const TRAVERSALS = [
  ...['/assets//a-1.js', '//assets/a-1.js', '/assets/a-1.js%00.css', '/assets/../index.html'],
  ...['/assets/..%2findex.html', '/assets/%2e%2e/built-from.txt', '/assets/..%5c..%5cindex.html'],
  ...['/assets/%252e%252e/index.html', '/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd'],
];
const MISTYPED = [
  ...['/nothing', '/orders/PO-1/more', '/Orders', '/signed-in/loudly', '/.well-known/nothing', '/.git/config'],
  ...['/index.html', '/signed-in-silently.html', '/built-from.txt', '/third-party-licences.txt.gz'],
];

const problemOf = ({ body }: Answer) => JSON.parse(body.toString()) as object;
const nonceIn = ({ headers }: Answer) =>
  /'nonce-([\w+/=]{22,})'/.exec(String(headers['content-security-policy']))?.[1] ?? 'none';

/** Reads a temporary folder that `write` has filled. */
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

  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await gateway.call(path, { headers, method });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };

  it.each(ADDRESSES)('answers %s with its page, uncached and with a policy that has a fresh nonce', async (path) => {
    const answer = await get(`${path}?x=1`, HTML);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers['cache-control']).toBe('no-store');
    const nonce = nonceIn(answer);
    expect(answer.headers['content-security-policy']).toBe(policyOf(nonce, ORIGIN, "'none'"));
    const text = answer.body.toString();
    expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
    expect(text).not.toContain(NONCE);
    expect(nonceIn(await get(path))).not.toBe(nonce);
  });

  it('lets only itself frame the page that completes a silent sign-in', async () => {
    const answer = await get(`${SILENT_ROUTE}?code=c&state=s`, HTML);
    expect([answer.status, answer.headers['x-frame-options']]).toEqual([200, 'SAMEORIGIN']);
    expect(answer.headers['content-security-policy']).toBe(policyOf(nonceIn(answer), ORIGIN, "'self'"));
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body.toString()).toContain('<title>Silent</title>');
    expect(answer.body.toString()).not.toContain(NONCE);
  });

  it('publishes its sign-in settings and nothing else', async () => {
    const answer = await get('/portal.json');
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(answer.body.toString())).toEqual(PORTAL);
  });

  it('serves a script as the build compressed it, and lets it be cached forever', async () => {
    const { status, headers, body } = await get('/assets/a-1.js', { 'accept-encoding': 'gzip, deflate' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(body.toString()).toBe(`${SCRIPT}\n`);
  });

  it('serves an image as built, and lets it be cached forever', async () => {
    const { status, headers, body } = await get('/assets/b-2.png', { 'accept-encoding': 'identity' });
    expect([status, headers['content-type'], body.equals(PICTURE)]).toEqual([200, 'image/png', true]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('serves the licences of its packages as text', async () => {
    const { status, headers, body } = await get(LICENCES, HTML);
    expect([status, headers['content-type'], body.toString()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      `${NOTICES}\n`,
    ]);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('public, no-cache');
  });

  it.each(UNKNOWN)(`answers a browser 404 with a problem if the path is not the portal's: %s`, async (path) => {
    const answer = await get(path, HTML);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(problemOf(answer)).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  });

  it.each(TRAVERSALS)('serves no file for the path %s', async (path) => {
    // Sent raw: fetch would normalize the path.
    const answer = await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).toMatch(/^cache-control: no-store\r$/im);
    expect(answer).toMatch(/^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/im);
    expect(answer).not.toMatch(/secret|<title>|let a|root:/);
  });

  it.each(MISTYPED)(
    'answers 404 to %s: to a browser with its own page, uncached, and to a program with a problem',
    async (path) => {
      const answer = await get(path, HTML);
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['content-security-policy']).toBe(policyOf(nonceIn(answer), ORIGIN, "'none'"));
      expect(answer.body.toString()).not.toMatch(new RegExp(`${NONCE}|secret`));
      const toProgram = await get(path, { accept: '*/*' });
      expect([toProgram.status, problemOf(toProgram)]).toMatchObject([
        404,
        { code: 'ROUTE_NOT_FOUND', instance: path },
      ]);
    },
  );

  it.each(['/', '/orders/PO-1', SILENT_ROUTE, '/portal.json', '/assets/a-1.js'])(
    'answers HEAD as GET without a body, and any other method with 405: %s',
    async (path) => {
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
        const answer = await get(path, HTML, method);
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it('sets the fixed security headers on every response', async () => {
    const { 'x-api-version': _version, vary: _vary, 'x-frame-options': _frames, ...fixed } = FIXED_HEADERS;
    for (const path of ['/', SILENT_ROUTE, '/portal.json', '/assets/a-1.js', ...MISTYPED, ...UNKNOWN]) {
      for (const method of ['GET', 'POST']) {
        const { headers } = await get(path, HTML, method);
        const policy = String(headers['content-security-policy']);
        expect([method, path, headers]).toMatchObject([method, path, { ...fixed, 'content-security-policy': policy }]);
        expect(policy).toMatch(/^default-src 'none';.* frame-ancestors '(none|self)'$/);
        expect(policy).not.toMatch(/unsafe|\*/);
        expect(headers['x-frame-options']).toBe(policy.endsWith("'none'") ? 'DENY' : 'SAMEORIGIN');
      }
    }
  });

  it('has the routes of its own router, and those that a sign-in returns to', () => {
    const router = readText('services/portal/src/app/router.tsx');
    const routes = [...router.matchAll(/^ +path: '([^']+)'/gm)].map(([, path = '']) => path.replaceAll('$', ':'));
    expect(CLIENT_ROUTES).toEqual([...routes, '/signed-in', '/signed-out']);
  });

  it('allows connections and frames to the origins of the identity provider, and to no others', async () => {
    const other = await runGateway({
      serve: (instance) => servePortal(instance, site, { ...PORTAL, origins: ['https://token.example.com'] }),
    });
    const policy = (await other.call('/')).headers.get('content-security-policy');
    await other.stop();
    expect(policy).toContain("; connect-src 'self' https://login.example.com https://token.example.com; ");
    expect(policy).toContain("; frame-src 'self' https://login.example.com https://token.example.com; ");
  });

  it('serves a file in the smallest encoding that is accepted', async () => {
    // Sent raw: fetch would try to decompress the content, which only claims to be compressed.
    const answer = await gateway.raw(
      'GET /assets/a-1.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n',
    );
    expect(answer.endsWith('\r\n\r\nbrotli')).toBe(true);
    expect(answer).toMatch(/^content-encoding: br\r$/im);
  });

  it('does not change the API: a token is required, and a wrong method is 405', async () => {
    expect((await get('/api/me', HTML)).status).toBe(401);
    const response = await get('/api/purchase-orders/PO-1/transition', HTML);
    expect([response.status, response.headers.allow]).toEqual([405, 'POST']);
  });

  it('logs neither codes nor states of a sign-in', async () => {
    gateway.lines.length = 0;
    for (const path of ['/signed-in', '/signed-in/silently', '/nothing'])
      await get(`${path}?code=its-code&state=its-state`, HTML);
    expect(gateway.lines.length).toBeGreaterThan(2);
    expect(JSON.stringify(gateway.lines)).not.toMatch(/its-code|its-state/);
  });

  it('is absent if it is turned off', async () => {
    for (const path of ['/', '/orders', '/portal.json', '/signed-in/silently', '/assets/a-1.js', '/nothing']) {
      const response = await bare.call(path, { headers: HTML });
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { code: 'ROUTE_NOT_FOUND' }]);
    }
  });

  it('throws an error with the build command if it was not built', async () => {
    const empty = () => Promise.resolve();
    await expect(inFolder(empty, readSite)).rejects.toThrow(
      /has no portal: node services\/portal\/build\/build\.ts builds it/,
    );
  });
});
