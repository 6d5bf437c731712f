import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { collectGarbage } from './fixtures/garbage.js';
import { type ScriptedServer, json, problem, startScripted } from './fixtures/scripted-server.js';
import { type ClientOptions, createClient } from './index.js';

const order = json(200, { poRef: 'PO-1' }, { etag: '"7"' });
const PO = { params: { path: { poRef: 'PO-1' } } };
const submit = { ...PO, body: { action: 'SUBMIT' as const } };

async function until(happened: () => boolean): Promise<void> {
  // oxlint-disable-next-line eslint/no-await-in-loop -- waits for a real connection
  while (!happened()) await delay(10);
}

describe('the client', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScripted();
  });
  afterEach(() => server.stop());

  const client = (options?: Partial<ClientOptions>) =>
    createClient({ baseUrl: server.baseUrl, token: 'the-token', ...options });
  const header = (name: string) => server.seen.map(({ headers }) => headers[name]);

  it('sends the current token and the language, and returns data and response', async () => {
    server.scripts = [order];
    let tokenRequests = 0;
    const api = client({ token: () => Promise.resolve(`token-${(tokenRequests += 1)}`), language: 'zh' });
    const { data, response } = await api.GET('/purchase-orders/{poRef}', PO);
    await api.GET('/purchase-orders', { params: { query: { status: ['New', '已发货'], limit: 5 } } });
    expect(data).toEqual({ poRef: 'PO-1' });
    expect(response.headers.get('etag')).toBe('"7"');
    expect(header('x-user-token')).toEqual(['token-1', 'token-2']);
    expect(header('accept-language')).toEqual(['zh', 'zh']);
    expect(header('idempotency-key')).toEqual([undefined, undefined]);
    expect(server.seen[1]?.url).toBe(`/api/purchase-orders?status=New,${encodeURIComponent('已发货')}&limit=5`);
  });

  it("sends each request past the browser's cache, which does not tell the users of a computer apart", async () => {
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '0' }), order, problem(401, 'TOKEN_EXPIRED')];
    const caches: RequestCache[] = [];
    const fetch = (request: Request) => {
      caches.push(request.cache);
      return globalThis.fetch(request);
    };
    const api = client({ fetch });
    await api.GET('/purchase-orders/{poRef}', PO);
    await expect(api.stream().next()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(caches).toEqual(['no-store', 'no-store', 'no-store']);
  });

  it('accepts a body without the members that have defaults', async () => {
    server.scripts = [json(201, {})];
    const body = { body: 'Can M be blue?' };
    await client().POST('/purchase-orders/{poRef}/messages', { ...PO, body });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(body);
  });

  it('throws the problem of an API error with its code and additional members', async () => {
    server.scripts = [problem(409, 'TRANSITION_NOT_ALLOWED', {}, { allowedActions: ['APPROVE'] })];
    await expect(client().POST('/purchase-orders/{poRef}/transition', submit)).rejects.toMatchObject({
      name: 'ApiProblem',
      code: 'TRANSITION_NOT_ALLOWED',
      status: 409,
      message: 'no: TRANSITION_NOT_ALLOWED',
      requestId: 'r-1',
      retryAfterS: null,
      document: { allowedActions: ['APPROVE'] },
    });
    expect(server.seen).toHaveLength(1);
  });

  it('throws UNEXPECTED_ANSWER if something other than the API responded', async () => {
    server.scripts = [(response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nginx</h1>')];
    await expect(client().GET('/me')).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: 404,
      document: null,
    });
  });

  it('throws NOT_MODIFIED for a 304', async () => {
    server.scripts = [(response) => response.writeHead(304, { etag: '"7"' }).end()];
    const read = client().GET('/purchase-orders/{poRef}', { ...PO, headers: { 'If-None-Match': '"7"' } });
    const message = expect.stringMatching(/PO-1 answered 304$/);
    await expect(read).rejects.toMatchObject({ code: 'NOT_MODIFIED', status: 304, document: null, message });
  });

  it('makes each write conditional on the last version it has seen, unless disabled', async () => {
    server.scripts = [order, json(200, {}, { etag: '"8"' })];
    const api = client();
    await api.GET('/purchase-orders/{poRef}', { params: { path: { poRef: 'po-1' } } });
    const write = { ...PO, body: { tracking_number: 'T' } };
    await api.PATCH('/purchase-orders/{poRef}', write);
    await api.POST('/purchase-orders/{poRef}/transition', submit);
    await api.PATCH('/purchase-orders/{poRef}', { ...write, headers: { 'If-Match': '"3"' } });
    await api.PATCH('/purchase-orders/{poRef}', { params: { path: { poRef: 'PO-2' } }, body: write.body });
    await client({ ifMatch: false }).PATCH('/purchase-orders/{poRef}', write);
    expect(header('if-match')).toEqual([undefined, '"7"', '"8"', '"3"', undefined, undefined]);
  });

  it('uses the versions in the results of a batch of transitions', async () => {
    const results = [
      { poRef: 'PO-1', success: true, version: 8 },
      { poRef: 'PO-2', success: false, version: null },
    ];
    server.scripts = [order, json(200, { results, succeeded: 1, failed: 1 }), json(200, {})];
    const api = client();
    await api.GET('/purchase-orders/{poRef}', PO);
    const items = ['PO-1', 'PO-2'].map((poRef) => ({ poRef, action: 'SUBMIT' as const }));
    await api.POST('/purchase-orders/transitions', { body: { items } });
    await api.POST('/purchase-orders/{poRef}/transition', submit);
    await api.POST('/purchase-orders/{poRef}/transition', { ...submit, params: { path: { poRef: 'PO-2' } } });
    expect(header('if-match')).toEqual([undefined, undefined, '"8"', undefined]);
  });

  it.each([
    ['GET', 'PATCH'],
    ['PATCH', 'GET'],
  ] as const)('keeps the version of a write when a %s ends after a %s that started later', async (late, early) => {
    const held: (() => void)[] = [];
    const versions = { GET: '"7"', PATCH: '"8"' };
    server.scripts = [(response) => void held.push(() => json(200, {}, { etag: versions[late] })(response))];
    const api = client();
    const send = (method: 'GET' | 'PATCH') =>
      method === 'GET'
        ? api.GET('/purchase-orders/{poRef}', PO)
        : api.PATCH('/purchase-orders/{poRef}', { ...PO, body: { tracking_number: 'T' } });
    const slow = send(late);
    await until(() => held.length === 1);
    server.scripts = [json(200, {}, { etag: versions[early] })];
    await send(early);
    held[0]?.();
    await slow;
    await api.POST('/purchase-orders/{poRef}/transition', submit);
    expect(header('if-match').at(-1)).toBe('"8"');
  });

  it('accepts a lower version from a read that started after the last response, as after a restore', async () => {
    server.scripts = [order, json(200, {}, { etag: '"3"' })];
    const api = client();
    await api.GET('/purchase-orders/{poRef}', PO);
    await api.GET('/purchase-orders/{poRef}', PO);
    await api.POST('/purchase-orders/{poRef}/transition', submit);
    expect(header('if-match').at(-1)).toBe('"3"');
  });

  it('does not use the version of a refused write as the last one seen', async () => {
    server.scripts = [order, problem(412, 'VERSION_MISMATCH', { etag: '"9"' })];
    const api = client();
    await api.GET('/purchase-orders/{poRef}', PO);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(api.POST('/purchase-orders/{poRef}/transition', submit)).rejects.toMatchObject({ status: 412 });
    }
    expect(header('if-match')).toEqual([undefined, '"7"', '"7"']);
  });

  it.each([
    ['a rate limit', problem(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['an unavailable service', problem(503, 'UNAVAILABLE', { 'retry-after': '0' })],
    ['an unknown outcome', problem(504, 'TIMEOUT')],
    ['the same request still in progress', problem(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '0' })],
    ['a broken connection', (response: ServerResponse) => void response.destroy()],
    ['a connection that breaks within the answer', (response) => void response.write('{', () => response.destroy())],
  ] satisfies [string, (response: ServerResponse) => void][])(
    'retries a write after %s with the same body and key',
    async (_what, first) => {
      server.scripts = [first, order];
      const { data } = await client().POST('/purchase-orders/{poRef}/transition', submit);
      expect(data).toEqual({ poRef: 'PO-1' });
      expect(server.seen.map(({ body }) => body)).toEqual(['{"action":"SUBMIT"}', '{"action":"SUBMIT"}']);
      const [key, again] = header('idempotency-key');
      expect([key, again]).toEqual([expect.stringMatching(/^[\da-f]{32}$/), key]);
    },
  );

  it('requests the token and the language for each attempt, but keeps a token set by the caller', async () => {
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '0' }), order];
    let tokenRequests = 0;
    const api = client({ token: () => `token-${(tokenRequests += 1)}`, language: 'zh' });
    await api.POST('/purchase-orders/{poRef}/transition', submit);
    await api.GET('/me', { headers: { 'X-User-Token': 'mine' } });
    expect(header('x-user-token')).toEqual(['token-1', 'token-2', 'mine']);
    expect(header('accept-language')).toEqual(['zh', 'zh', 'zh']);
  });

  it('does not retry a request without a token', async () => {
    let tokenRequests = 0;
    const token = () => Promise.reject(new Error(`signed out ${(tokenRequests += 1)}`));
    await expect(client({ token }).GET('/me')).rejects.toThrow('signed out 1');
    expect([tokenRequests, server.seen.length]).toEqual([1, 0]);
  });

  it('sends a new key with each write, but keeps a key set by the caller', async () => {
    server.scripts = [order];
    const api = client();
    for (const headers of [{}, {}, { 'Idempotency-Key': 'mine' }]) {
      await api.POST('/purchase-orders/{poRef}/transition', { ...submit, headers });
    }
    const keys = header('idempotency-key');
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
    await api.DELETE('/views/{id}', { params: { path: { id: 'v1' } } });
    expect(header('idempotency-key')[3]).toMatch(/^[\da-f]{32}$/);
  });

  it('gives up after the configured attempts, and immediately if the wait is too long', async () => {
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '0' })];
    await expect(client({ retry: { attempts: 2 } }).GET('/me')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(server.seen).toHaveLength(2);
    server.scripts = [problem(429, 'RATE_LIMITED', { 'retry-after': '3600' })];
    await expect(client().GET('/me')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 3600 });
    expect(server.seen).toHaveLength(3);
  });

  it('stops waiting when aborted', async () => {
    const abort = new AbortController();
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '30' })];
    let attempts = 0;
    const fetch = async (request: Request) => {
      attempts += 1;
      const answer = await globalThis.fetch(request);
      setImmediate(() => abort.abort());
      return answer;
    };
    await expect(client({ fetch }).GET('/me', { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(attempts).toBe(1);
  });

  it.each([
    ['no response', () => undefined],
    ['half a body', (response: ServerResponse) => void response.writeHead(200).write('{')],
  ])('ends an aborted read after a garbage collection, with %s received', async (_what, script) => {
    server.scripts = [script];
    const abort = new AbortController();
    const failed = client()
      .GET('/me', { signal: abort.signal })
      .catch(({ name }: Error) => name);
    await collectGarbage();
    abort.abort();
    expect(await failed).toBe('AbortError');
  });

  it('returns an exported file unchanged, in the format that the caller requests', async () => {
    const bytes = [0xef, 0xbb, 0xbf, 0x50, 0x4f, 0xff];
    server.scripts = [(response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(Buffer.from(bytes))];
    const { data } = await client().GET('/purchase-order-exports', { parseAs: 'blob' });
    expect([...new Uint8Array(await data.arrayBuffer())]).toEqual(bytes);
    // @ts-expect-error -- the file is not JSON
    await expect(client().GET('/purchase-order-exports')).rejects.toThrow(SyntaxError);
  });

  it('sends a file unchanged with the content type that the caller must set', async () => {
    server.scripts = [json(200, {})];
    const path = '/purchase-orders/{poRef}/line-items/import';
    const body = new Blob(['Row ID\r\n']);
    await client().POST(path, { ...PO, headers: { 'Content-Type': 'text/csv' }, body });
    expect(server.seen).toMatchObject([{ body: 'Row ID\r\n', headers: { 'content-type': 'text/csv' } }]);
    // @ts-expect-error -- the content type is missing
    await client().POST(path, { ...PO, body });
    // @ts-expect-error -- a string would be sent as JSON
    await client().POST(path, { ...PO, headers: { 'Content-Type': 'text/csv' }, body: 'Row ID' });
  });
});
