import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { FIXED_HEADERS } from '../../services/gateway/src/http/fixed-headers.js';
import { CLIENT_ROUTES, LICENCES, NONCE, SILENT_ROUTE, policyOf } from '../../services/gateway/src/portal/rules.js';

export const PORTAL = { authority: 'https://login.example.com/tenant', clientId: 'po-portal', scope: 'openid profile' };
const ORIGIN = 'https://login.example.com';
const SCRIPT = 'let a = 1;'.repeat(100);
const NOTICES = '## react - 19.3.1 (MIT)\n';

/** Writes a portal as its build leaves it, and beside its files what nobody may get at. */
export async function writeSite(folder: string): Promise<void> {
  const script = `<script type="module" src="/assets/a-1.js" nonce="${NONCE}"></script>`;
  const files: Record<string, string | Buffer> = {
    'index.html': `<title>Portal</title><meta property="csp-nonce" nonce="${NONCE}">${script}`,
    'signed-in-silently.html': `<title>Silent</title>${script}`,
    'built-from.txt': 'secret',
    'assets/a-1.js': SCRIPT,
    'assets/notes.txt': 'secret',
    [LICENCES.slice(1)]: NOTICES,
  };
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  for (const [name, content] of Object.entries({ 'assets/a-1.js': SCRIPT, [LICENCES.slice(1)]: NOTICES })) {
    await writeFile(join(folder, `${name}.gz`), gzipSync(content));
    await writeFile(join(folder, `${name}.br`), 'brotli');
  }
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The path goes as it stands: no client tidies it up on the way. */
function ask(origin: string, method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const asked = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ADDRESSES = CLIENT_ROUTES.map((route) => route.replace(':poRef', 'PO-1'));
const UNKNOWN = [
  ...['/assets', '/assets/', '/assets/b-2.js', '/assets/notes.txt', '/assets/a-1.js/', '/assets/a-1.js.gz'],
  ...['/assets/a-1.js.br', '/api', '/api/nothing', '/docs', '/problems/none'],
];
const ROUNDABOUT = [
  ...[
    '/assets//a-1.js',
    '//assets/a-1.js',
    '/assets/a-1.js%00.css',
    '/assets/../index.html',
    '/assets/..%2findex.html',
  ],
  ...['/assets/%2e%2e/built-from.txt', '/assets/..%5c..%5cindex.html', '/assets/%252e%252e/index.html'],
  '/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd',
];
const LOST = [
  ...['/nothing', '/orders/PO-1/more', '/Orders', '/signed-in/loudly', '/.well-known/nothing', '/.git/config'],
  ...['/index.html', '/signed-in-silently.html', '/built-from.txt', '/third-party-licences.txt.gz'],
];

/** What strangers find wherever the portal is served: the same at the gateway and at the server of its own image. */
export function describePortalServer(origin: () => string): void {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(origin(), method, path, headers);
  const nonceIn = ({ headers }: Answer) =>
    /'nonce-([\w+/=]{22,})'/.exec(String(headers['content-security-policy']))?.[1] ?? 'none';

  it.each(ADDRESSES)('its page, which is never kept and under its policy, at %s', async (path) => {
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

  it('the page that takes a silent answer, which only the portal itself may frame', async () => {
    const answer = await get(`${SILENT_ROUTE}?code=c&state=s`, HTML);
    expect([answer.status, answer.headers['x-frame-options']]).toEqual([200, 'SAMEORIGIN']);
    expect(answer.headers['content-security-policy']).toBe(policyOf(nonceIn(answer), ORIGIN, "'self'"));
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body.toString()).toContain('<title>Silent</title>');
    expect(answer.body.toString()).not.toContain(NONCE);
  });

  it('what the portal signs in with, and nothing else', async () => {
    const answer = await get('/portal.json');
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(answer.body.toString())).toEqual(PORTAL);
  });

  it.each([
    ['gzip, deflate', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip; q=0.0, br;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('a file for good, as it was compressed, for whom accepts "%s"', async (accepted, coding) => {
    const { status, headers, body } = await get('/assets/a-1.js', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(headers['content-encoding']).toBe(coding);
    expect(body.equals(coding === 'gzip' ? gzipSync(SCRIPT) : Buffer.from(SCRIPT))).toBe(true);
  });

  it('a file that is known already in no bytes', async () => {
    const { headers } = await get('/assets/a-1.js', { 'accept-encoding': 'gzip' });
    const tag = String(headers.etag);
    const again = await get('/assets/a-1.js', { 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('licences of what it is made of, as text to be read', async () => {
    const { status, headers, body } = await get(LICENCES, HTML);
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'text/plain; charset=utf-8', NOTICES]);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('public, no-cache');
  });

  it.each(UNKNOWN)('nothing at %s, also to browsers', async (path) => {
    const answer = await get(path, HTML);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it.each(ROUNDABOUT)('no file by %s', async (path) => {
    const answer = await get(path, { accept: '*/*' });
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body.toString()).not.toMatch(/secret|<title>|let a|root:/);
  });

  it.each(LOST)('the portal`s own page for %s, as 404 and not to be kept', async (path) => {
    const answer = await get(path, HTML);
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-security-policy']).toBe(policyOf(nonceIn(answer), ORIGIN, "'none'"));
    expect(answer.body.toString()).not.toMatch(new RegExp(`${NONCE}|secret`));
    const toPrograms = await get(path, { accept: '*/*' });
    expect([toPrograms.status, toPrograms.headers['content-type']]).toEqual([404, expect.not.stringMatching(/html/)]);
  });

  it.each(['/', '/orders/PO-1', SILENT_ROUTE, '/portal.json', '/assets/a-1.js'])(
    'by HEAD what GET answers, and by no other method anything: %s',
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

  it('what keeps browsers out of trouble with every answer', async () => {
    const { 'x-api-version': _version, vary: _vary, 'x-frame-options': _frames, ...fixed } = FIXED_HEADERS;
    for (const path of ['/', SILENT_ROUTE, '/portal.json', '/assets/a-1.js', ...LOST, ...UNKNOWN, ...ROUNDABOUT]) {
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
}
