import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PATTERNS, ProblemError } from '@po/contracts';
import { actorKeys, actors } from '../../../../test/support/actors.js';
import { eventually } from '../../../../test/support/eventually.js';
import type { RpcContext } from './rpc-context.js';
import { type TestApplication, handled, startApplication } from '../fixtures/application.js';
import type { RpcRequest } from './rpc-headers.js';

describe('requests over Kafka', () => {
  let app: TestApplication;
  beforeEach(async () => {
    app = await startApplication();
  });
  afterEach(() => app.close());

  const detail = (poRef: string, extra: Partial<RpcRequest> = {}) =>
    app.client.request(PATTERNS.detail, { poRef, includeLineItems: false }, { ...app.request, ...extra });

  const transition = (poRef: string, extra: Partial<RpcRequest> = {}) =>
    app.client.request(
      PATTERNS.transition,
      { poRef, request: { action: 'SUBMIT' } },
      { ...app.request, key: poRef, ...extra },
    );

  it('answers a query with status, allow-listed headers and the body as written', async () => {
    const response = await detail('PO-1');
    expect(response.status).toBe(200);
    expect(response.headers).toEqual({ etag: '"7"' });
    expect(response.body.toString()).toBe('{"poRef":"PO-1","by":"u-acme"}');
    expect(handled.requests).toHaveLength(1);
    expect(handled.requests[0]).toMatchObject({
      query: { poRef: 'PO-1', includeLineItems: false },
      context: { actor: actors.acme, requestId: 'r-1', path: '/api/purchase-orders/PO-1', idempotencyKey: null },
    });
  });

  it('keeps the trace id and gives the handler a span of its own', async () => {
    await detail('PO-1');
    const { context } = handled.requests[0] as { context: RpcContext };
    expect(context.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
  });

  it('turns a refusal into problem+json in the language of the caller', async () => {
    const response = await detail('PO-MISSING', { locale: 'zh' });
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body.toString())).toMatchObject({
      code: 'PO_NOT_FOUND',
      title: '未找到采购订单',
      requestId: 'r-1',
      instance: '/api/purchase-orders/PO-1',
      success: false,
    });
  });

  it('answers a bug with 500 and nothing of its inside', async () => {
    handled.failures.set('PO-BUG', [new TypeError('secret detail')]);
    const response = await detail('PO-BUG');
    expect(response.status).toBe(500);
    expect(response.body.toString()).not.toContain('secret');
  });

  it('answers a query whose store stays away with 503 before the caller gives up', async () => {
    handled.failures.set(
      'PO-1',
      Array.from({ length: 20 }, () => new Error('connection lost')),
    );
    const response = await detail('PO-1');
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
  });

  it('does not answer a request whose actor signature is bad', async () => {
    const { signer } = await actorKeys();
    const actorToken = (purpose: string) => signer.sign(actors.admin, purpose);
    await expect(detail('PO-1', { actorToken })).rejects.toMatchObject({ code: 'TIMEOUT', members: {} });
    expect(handled.requests).toEqual([]);
  });

  it('retries a command over a passing fault and answers once', async () => {
    handled.failures.set('PO-1', [new Error('connection lost'), new Error('connection lost')]);
    const response = await transition('PO-1', { idempotencyKey: 'k-1', idempotencyOrigin: 'client', method: 'POST' });
    expect(response.status).toBe(200);
    expect(handled.requests).toHaveLength(3);
    const ids = handled.requests.map((query) => (query as { context: RpcContext }).context.commandId);
    expect(new Set(ids).size).toBe(1);
  });

  it('handles the commands of one order one after another, and those of others meanwhile', async () => {
    const slow = [transition('PO-SLOW'), transition('PO-SLOW')];
    await eventually('the first of them is being handled', () => handled.requests.length === 1);
    await expect(transition('PO-2')).resolves.toMatchObject({ status: 200 });
    expect(handled.requests).toHaveLength(2);
    handled.release();
    await expect(Promise.all(slow)).resolves.toHaveLength(2);
    expect(handled.requests).toHaveLength(3);
  });

  it('tells a write that was sent and not answered that its outcome is unknown, with the key to ask by', async () => {
    const writing = transition('PO-SLOW', { idempotencyKey: 'mine' });
    await expect(writing).rejects.toMatchObject({
      code: 'TIMEOUT',
      members: { outcome: 'unknown', idempotencyKey: 'mine' },
    });
  });

  it('refuses with 503 and Retry-After what could not be sent, and recovers when the broker is back', async () => {
    app.kafka.down = true;
    await expect(transition('PO-1')).rejects.toBeInstanceOf(ProblemError);
    await eventually(
      'requests are refused at once',
      async () => {
        const started = performance.now();
        const problem = (await transition('PO-1').catch((error: unknown) => error)) as ProblemError;
        return (
          problem.code === 'UNAVAILABLE' &&
          problem.options.headers?.['retry-after'] === '2' &&
          performance.now() - started < 100
        );
      },
      { timeoutMs: 20_000 },
    );
    app.kafka.down = false;
    await eventually('it answers again', () => transition('PO-1').then(({ status }) => status === 200));
  }, 40_000);
});
