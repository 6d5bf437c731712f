import { beforeEach, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { gatewayForTests } from '../fixtures/gateway.js';
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
const PAGES = [page, ...files];

describe('servePages', () => {
  const routes: { method: string; template: string }[] = [];
  const gateway = gatewayForTests({
    pages: PAGES,
    corsOrigins: ['https://portal.example.com'],
    serve: async (instance) => {
      instance.addHook('onRoute', ({ method, url }) => void routes.push({ method: String(method), template: url }));
    },
  });
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
