import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { PROBLEM_CONTENT_TYPE, ProblemError, problemDocument } from '@po/contracts';
import { apiClient } from './api-client.js';

/** Sends a request to a server with these answers in turn. Returns the last status, all idempotency keys and all waits in milliseconds. */
async function ask(method: 'get' | 'post', ...problems: ProblemError[]) {
  const keys: unknown[] = [];
  const waits: number[] = [];
  const wait = (ms: number) => Promise.resolve(waits.push(ms));
  const server = createServer(({ headers }, response) => {
    const problem = problems[keys.push(headers['idempotency-key'] ?? null) - 1];
    if (!problem) throw new Error('no answer is left');
    const document = problemDocument(problem, { locale: 'en', instance: '/api/x', requestId: 'r' });
    response.writeHead(problem.status, {
      'content-type': PROBLEM_CONTENT_TYPE,
      'content-language': 'en',
      'x-request-id': 'r',
      'x-api-version': '1',
      'cache-control': 'no-store',
      'retry-after': '7',
    });
    response.end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const path = `/purchase-orders/PO-1${method === 'get' ? '' : '/messages'}`;
    const api = apiClient(`http://127.0.0.1:${port}`, undefined, wait);
    const { status } = await api[method](path, method === 'get' ? undefined : {});
    return { status, keys, waits };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const away = new ProblemError('UNAVAILABLE');
const late = new ProblemError('TIMEOUT');
const unknown = new ProblemError('TIMEOUT', { outcome: 'unknown', idempotencyKey: 'k-1' });
const missing = new ProblemError('PO_NOT_FOUND');

it('the test client retries 503 and 504, and a write of unknown outcome with its idempotency key', async () => {
  expect(await ask('get', late, away, missing)).toEqual({ status: 404, keys: [null, null, null], waits: [7000, 7000] });
  expect(await ask('post', unknown, away, missing)).toEqual({
    status: 404,
    keys: [null, 'k-1', 'k-1'],
    waits: [7000, 7000],
  });
});

it('the test client does not retry other errors and gives up after five attempts', async () => {
  expect(await ask('get', missing, away)).toEqual({ status: 404, keys: [null], waits: [] });
  const { status, keys } = await ask('get', away, away, away, away, away, missing);
  expect([status, keys.length]).toEqual([503, 5]);
});
