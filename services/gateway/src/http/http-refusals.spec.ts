import { beforeAll, describe, expect, it } from '@jest/globals';
import { ERRORS, type Problem, TOPICS } from '@po/contracts';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { gatewayForTests } from '../fixtures/gateway.js';
import { approvalPolicies } from '../routes/approval-policies.operations.js';

const CHINESE = 'accept-language: zh\r\nconnection: close';

describe('the gateway itself', () => {
  const gateway = gatewayForTests({ corsOrigins: ['https://portal.example.com'] });
  let buyer: string;

  beforeAll(() => {
    buyer = gateway.provider.token();
  });

  const call = async (path: string, init: RequestInit & { token?: string | null } = {}) => {
    const response = await gateway.call(path, { token: buyer, ...init });
    const text = await response.text();
    return { response, status: response.status, problem: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  };
  const sentToServices = () =>
    [TOPICS.queries, TOPICS.commands, TOPICS.notificationsRpc, TOPICS.dashboardRpc].flatMap((topic) =>
      gateway.kafka.records(topic),
    );

  it('answers problem+json with every documented member and header', async () => {
    const { response, problem } = await call('/api/me?x=1', { token: null });
    expect(problem).toEqual({
      type: '/problems/token-missing',
      title: 'Token missing',
      status: 401,
      detail: 'Send the user token in the X-User-Token header.',
      instance: '/api/me',
      code: 'TOKEN_MISSING',
      message: 'Send the user token in the X-User-Token header.',
      success: false,
      requestId: response.headers.get('x-request-id'),
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-language': 'en',
      'cache-control': 'no-store',
      'x-api-version': '1',
      'x-content-type-options': 'nosniff',
      vary: 'X-User-Token, Accept-Language, Origin',
      'www-authenticate': expect.stringContaining('Bearer'),
    });
  });

  it('answers in the language of Accept-Language and keeps a well-formed request id', async () => {
    const { response, problem } = await call('/api/me', {
      token: 'a.b.c',
      headers: { 'accept-language': 'zh-CN,zh;q=0.9', 'x-request-id': 'abc.DEF-1_2' },
    });
    expect(problem).toMatchObject({ code: 'TOKEN_INVALID', title: '令牌无效', requestId: 'abc.DEF-1_2' });
    expect(response.headers.get('x-request-id')).toBe('abc.DEF-1_2');
    expect(response.headers.get('content-language')).toBe('zh');
    const other = await call('/api/me', { token: null, headers: { 'x-request-id': 'no spaces please' } });
    expect(other.response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [{ role: undefined }, 'ROLE_NOT_ALLOWED'],
    [{ role: 'VENDOR' }, 'VENDOR_NOT_LINKED'],
  ])('refuses the claims %j with 403 %s before any other check', async (claims, code) => {
    const token = gateway.provider.token(claims);
    const { status, problem } = await call('/api/purchase-orders/PO-1', { method: 'PATCH', body: '{', token });
    expect([status, problem.code]).toEqual([403, code]);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/docs'],
    ['GET', '/docs/openapi.json'],
    ['GET', '/docs/assets/pages.css'],
    ['POST', '/docs'],
    ['GET', '/problems'],
    ['GET', '/problems/token-missing'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['GET', '/api/purchase-orders/'],
    ['GET', '/api/purchase-orders/PO-1/'],
    ['GET', '/api/purchase-orders/PO-1/unknown'],
    ['GET', '/api/purchase-orders//line-items'],
    ['GET', '/API/me'],
    ['POST', '/api/transition'],
    ['OPTIONS', '/api/nothing'],
  ])('answers %s %s with 404 ROUTE_NOT_FOUND, without a token', async (method, path) => {
    const { status, problem } = await call(path, { method, token: null });
    expect([status, problem.code, problem.instance]).toEqual([404, 'ROUTE_NOT_FOUND', path]);
  });

  it.each([
    ['POST', '/api/purchase-orders', 'GET, HEAD'],
    ['DELETE', '/api/purchase-orders/PO-1', 'GET, HEAD, PATCH'],
    ['PUT', '/api/purchase-orders/PO-1/line-items', 'GET, HEAD, PATCH'],
    ['GET', '/api/purchase-orders/PO-1/transition', 'POST'],
    ['GET', '/api/notifications/7/read', 'PUT'],
    ['OPTIONS', '/api/me', 'GET, HEAD'],
    ['PROPFIND', '/api/me', 'GET, HEAD'],
    ['QUERY', '/api/me', 'GET, HEAD'],
  ])('answers %s %s with 405 and Allow: %s, without a token', async (method, path, allow) => {
    const { response, status, problem } = await call(path, { method, token: null });
    expect([status, problem.code, response.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
    expect(problem.detail).toBe(`This route allows ${allow}.`);
  });

  it('answers HEAD without a body', async () => {
    const { status, response } = await call('/api/me', { method: 'HEAD', token: null });
    expect(status).toBe(401);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect((await call('/api/purchase-orders/PO-1/transition', { method: 'HEAD', token: null })).status).toBe(405);
  });

  it.each(['a%2Fb', '%zz', '%ff', 'a%20b', '-x', 'x'.repeat(41), 'x'.repeat(4000), '%00', '%C3%9F', '..%2f..', "'"])(
    'answers 404 PO_NOT_FOUND to the poRef %s, after checking the token',
    async (reference) => {
      const path = `/api/purchase-orders/${reference}`;
      expect((await call(path, { token: null })).problem.code).toBe('TOKEN_MISSING');
      const { status, problem } = await call(path);
      expect([status, problem.code]).toEqual([404, 'PO_NOT_FOUND']);
    },
  );

  it.each([
    ['PUT', '/api/notifications/:id/read', 'NOTIFICATION_NOT_FOUND', ['x'.repeat(101), '%00', '%ff', '%zz']],
    ['GET', '/api/approval-policies/:id/history', 'POLICY_NOT_FOUND', ['x'.repeat(51), '%00', '%ff', 'a%2Fb%zz']],
    ['DELETE', '/api/users/:id', 'USER_NOT_FOUND', ['x'.repeat(256), '%00', '%ff', 'a%2Fb%zz']],
  ])('answers %s %s with 404 %s for an impossible id', async (method, path, code, ids) => {
    for (const id of ids) {
      const { status, problem } = await call(path.replace(':id', id), { method });
      expect([id, status, problem.code]).toEqual([id, 404, code]);
    }
  });

  it.each([
    ['Default', 'RESERVED_NAME'],
    ['DEFAULT', 'RESERVED_NAME'],
    ['a%0Ab', 'NOT_ONE_LINE'],
  ])('refuses to write an approval policy named %s with 400', async (name, code) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(NO_DIFFERENCE);
    const { status, problem } = await call(`/api/approval-policies/${name}`, { method: 'PUT', headers, body });
    expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(problem.errors).toEqual([expect.objectContaining({ in: 'path', pointer: '/name', code })]);
  });

  it('accepts the approval policy of a vendor whose code is Default if the body names that vendor', () => {
    const policy = { ...NO_DIFFERENCE, vendorCode: 'Default' };
    const read = { params: { name: 'Default' }, query: {}, body: policy };
    expect(approvalPolicies.replaceApprovalPolicy.payload(read)).toEqual({ name: 'Default', policy });
  });

  it.each([
    ['limit=0', '/limit'],
    ['search=%00', '/search'],
    ['search=%zz', '/search'],
    ['search=%ff', '/search'],
    ['limit=1&limit=1', '/limit'],
    ['status=New&stat%75s=New', '/status'],
    ['__proto__=1', '/__proto__'],
    ['constructor[prototype]=1', '/constructor[prototype]'],
    ['a[__proto__][b]=1', '/a[__proto__][b]'],
  ])('refuses the query %s with 400', async (query, pointer) => {
    const { status, problem } = await call(`/api/purchase-orders?${query}`);
    expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(problem.errors).toEqual([expect.objectContaining({ in: 'query', pointer })]);
  });

  it.each([
    ['input that is not HTTP', 'NOT HTTP AT ALL', 400, 'BAD_REQUEST', 'en'],
    ['a TLS handshake', '\u0016\u0003\u0001', 400, 'BAD_REQUEST', 'en'],
    ['an unknown version of HTTP', 'GET /api/me HTTP/9.9', 400, 'BAD_REQUEST', 'en'],
    ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(17_000)}`, 431, 'HEADERS_TOO_LARGE', 'en'],
    ['a missing Host', `GET /api/me HTTP/1.1\r\n${CHINESE}`, 400, 'BAD_REQUEST', 'zh'],
    [
      'a path that does not decode, without a Host in HTTP/1.0',
      `GET /%zz HTTP/1.0\r\n${CHINESE}`,
      404,
      'ROUTE_NOT_FOUND',
      'zh',
    ],
    ['a target without path', `OPTIONS * HTTP/1.1\r\nhost: x\r\n${CHINESE}`, 404, 'ROUTE_NOT_FOUND', 'zh'],
    [
      'an unknown expectation',
      `GET /api/me HTTP/1.1\r\nhost: x\r\nexpect: x\r\n${CHINESE}`,
      401,
      'TOKEN_MISSING',
      'zh',
    ],
  ] as const)(
    'answers %s in the language known so far, and closes the connection',
    async (_what, request, status, code, language) => {
      const [head = '', body = ''] = (await gateway.raw(`${request}\r\n\r\n`)).split('\r\n\r\n');
      const [line, ...headers] = head.split('\r\n');
      expect(line).toContain(`HTTP/1.1 ${status} `);
      const problem = JSON.parse(body) as Problem;
      expect(problem).toMatchObject({ code, success: false, title: ERRORS[code].title[language] });
      expect(Object.fromEntries(headers.map((header) => header.split(': ')))).toMatchObject({
        'content-type': expect.stringContaining('application/problem+json'),
        'content-language': language,
        'x-api-version': '1',
        'x-request-id': problem.requestId,
        vary: expect.stringMatching(/^X-User-Token, Accept-Language/),
      });
    },
  );

  it('refuses two token headers and a token of more than 8 KiB with 401', async () => {
    const twice = await gateway.raw(
      `GET /api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-user-token: ${buyer}\r\nx-user-token: ${buyer}\r\n\r\n`,
    );
    expect(twice).toMatch(/^HTTP\/1\.1 401 /);
    expect(twice).toContain('TOKEN_INVALID');
    const long = gateway.provider.token({ filler: 'x'.repeat(8000) });
    expect((await call('/api/me', { token: long })).problem.code).toBe('TOKEN_INVALID');
  });

  it('logs one line per request, with the route template and without the token or the URL', async () => {
    gateway.lines.length = 0;
    await call('/api/purchase-orders/-secret-?q=private', { headers: { 'x-request-id': 'log-1' } });
    const lines = gateway.lines.filter(({ requestId }) => requestId === 'log-1');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 30,
        method: 'GET',
        route: '/api/purchase-orders/:poRef',
        status: 404,
        actor: 'u-buyer',
        code: 'PO_NOT_FOUND',
        durationMs: expect.any(Number),
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|private|eyJ/);
  });

  it('sends nothing to a service for refused requests', () => {
    expect(sentToServices()).toEqual([]);
  });
});
