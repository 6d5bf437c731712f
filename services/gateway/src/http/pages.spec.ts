import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';
import type { Page } from './pages.js';

const POLICY = "default-src 'none'; style-src 'self'";
const page: Page = {
  path: '/docs/one',
  route: '/docs/one',
  mediaType: 'text/html; charset=utf-8',
  content: { en: Buffer.from('<p>one</p>'), zh: Buffer.from('<p>一</p>') },
  contentSecurityPolicy: POLICY,
  immutable: false,
};
const files = ['a-1.js', 'b-2.css'].map((name): Page => ({
  ...page,
  path: `/docs/assets/${name}`,
  route: '/docs/assets/:file',
  mediaType: 'text/javascript; charset=utf-8',
  content: Buffer.from('let a = 1;'.repeat(100)),
  immutable: true,
}));
const small: Page = {
  ...page,
  path: '/assets/small.js',
  route: '/assets/:file',
  content: Buffer.from('let a = 1;'),
  encoded: { br: brotliCompressSync('let a = 1;'), gzip: gzipSync('let a = 1;') },
};
const PAGES = [page, ...files, small];

describe('servePages', () => {
  const routes: { method: string; template: string }[] = [];
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway({
      pages: PAGES,
      corsOrigins: ['https://portal.example.com'],
      serve: async (instance) => {
        instance.addHook('onRoute', ({ method, url }) => void routes.push({ method: String(method), template: url }));
      },
    });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.lines.length = 0;
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    gateway.call(path, { method, headers });
  const called = () =>
    [TOPICS.queries, TOPICS.commands, TOPICS.notificationsRpc, TOPICS.dashboardRpc, TOPICS.users].flatMap((topic) =>
      gateway.kafka.records(topic),
    );

  it('serves a page without a token, under its own policy, to be revalidated on each use', async () => {
    const response = await get('/docs/one');
    expect([response.status, await response.text()]).toEqual([200, '<p>one</p>']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'content-language': 'en',
      'cache-control': 'public, no-cache',
      vary: 'X-User-Token, Accept-Language, Origin, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.any(String),
    });
  });

  it('lets browsers cache forever a page whose path changes with its content', async () => {
    const response = await get('/docs/assets/a-1.js');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-language')).toBeNull();
  });

  it.each([
    ['/docs/one', 'zh-CN,zh;q=0.9', 'zh'],
    ['/docs/one', 'fr', 'en'],
    ['/docs/one?lang=zh', 'en', 'zh'],
    ['/docs/one?x=1&lang=en', 'zh', 'en'],
    ['/docs/one?lang=fr', 'zh', 'zh'],
    ['/docs/one?slang=zh', 'en', 'en'],
  ])('answers %s with Accept-Language %s in %s', async (path, accepted, spoken) => {
    const response = await get(path, { 'accept-language': accepted });
    expect(response.headers.get('content-language')).toBe(spoken);
    expect(await response.text()).toBe(spoken === 'zh' ? '<p>一</p>' : '<p>one</p>');
  });

  it('answers 304 only to the ETag of this page, language and coding', async () => {
    const tags = await Promise.all(
      [
        ['en', 'gzip'],
        ['zh', 'gzip'],
        ['en', 'identity'],
      ].map(async ([language = '', coding = '']) => {
        const known = { 'accept-language': language, 'accept-encoding': coding };
        const etag = (await get('/docs/one', known)).headers.get('etag') ?? '';
        const again = await get('/docs/one', { ...known, 'if-none-match': `"other", W/${etag}` });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
        expect(again.headers.get('cache-control')).toBe('public, no-cache');
        return etag;
      }),
    );
    expect(new Set(tags).size).toBe(3);
    expect((await get('/docs/one', { 'accept-language': 'en', 'if-none-match': tags[1] ?? '' })).status).toBe(200);
    expect((await get('/docs/one', { 'if-none-match': '*' })).status).toBe(304);
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, GZIP;q=0.8', 'gzip'],
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip; q=0.000, br;q=0', null],
    ['x-gzipped', null],
    ['gzip-2', null],
    ['', null],
  ])('answers Accept-Encoding %s with the coding %s', async (accepted, coding) => {
    const response = await get('/docs/assets/a-1.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(await response.text()).toBe('let a = 1;'.repeat(100));
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', null],
    ['zstd', null],
  ])('answers Accept-Encoding %s with the coding %s from a precompressed page', async (accepted, coding) => {
    const response = await get('/assets/small.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(await response.text()).toBe('let a = 1;');
  });

  it('answers HEAD as GET without a body', async () => {
    const shown = async (method: string) => {
      const response = await get('/docs/one', { 'accept-encoding': 'identity' }, method);
      const names = ['content-length', 'content-type', 'content-language', 'content-security-policy', 'etag'];
      return { status: response.status, headers: names.map((name) => response.headers.get(name)) };
    };
    const whole = await shown('GET');
    expect([whole.status, whole.headers[0]]).toEqual([200, '10']);
    expect(await shown('HEAD')).toEqual(whole);
    expect(await (await get('/docs/one', {}, 'HEAD')).text()).toBe('');
  });

  it.each(['/docs', '/docs/two', '/docs/one/', '/DOCS/one', '/docs/assets/', '/docs/assets/c-3.js', '/problems'])(
    'answers the usual 404 to %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND', instance: path });
    },
  );

  it.each([
    '/docs/assets/../../../../package.json',
    '/docs/assets/..%2f..%2fpackage.json',
    '/docs/assets/%2e%2e%2fa-1.js',
    '/docs/assets/..\\..\\package.json',
    '/docs/assets/a-1.js%00',
    '//docs/one',
    '/docs/assets/%',
  ])('serves no file but the given ones: %s', async (path) => {
    // Sent raw, because an HTTP client would resolve the dots.
    const answer = await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"ROUTE_NOT_FOUND"');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers 405 to %s', async (method) => {
    for (const path of ['/docs/one', '/docs/assets/a-1.js']) {
      const response = await get(path, {}, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED', instance: path });
    }
  });

  it('logs the route template, whatever paths are requested', async () => {
    for (const path of ['/docs/one?lang=zh', '/docs/assets/a-1.js', '/docs/assets/made-up.js', '/docs/made-up']) {
      await (await get(path)).text();
    }
    const routes = () => gateway.lines.filter(({ msg }) => msg === 'request').map(({ route }) => route);
    await eventually('four lines', () => routes().length === 4);
    expect(routes()).toEqual(['/docs/one', '/docs/assets/:file', '/docs/assets/:file', '(none)']);
  });

  it('sends nothing to a service, whatever the token', async () => {
    const before = called().length;
    for (const token of [null, 'a.b.c', gateway.provider.token()]) {
      const response = await gateway.call('/docs/one', { token });
      expect(response.status).toBe(200);
    }
    expect(called()).toHaveLength(before);
  });

  it('opens only its pages: every other route answers 401 without a token', async () => {
    const open = new Set(PAGES.map(({ route }) => route));
    const closed = routes.filter(({ template }) => !open.has(template));
    expect(routes.filter(({ template }) => open.has(template))).toHaveLength(2 * open.size);
    expect(closed.length).toBeGreaterThan(20);
    const before = called().length;
    for (const { method, template } of closed) {
      const response = await get(template.replaceAll(/:\w+/g, 'x'), { 'content-type': 'application/json' }, method);
      expect([method, template, response.status]).toEqual([method, template, 401]);
    }
    expect(called()).toHaveLength(before);
  });
});
