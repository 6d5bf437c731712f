import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PATTERNS, ProblemError } from '@po/contracts';
import { pino } from 'pino';
import { actorKeys, actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { DEADLINES } from './rpc-client.js';
import type { RpcContext } from './rpc-context.js';
import { useAdvanceableClock, expireDeadline } from '../fixtures/expire-deadline.js';
import { advanceClock } from '../fixtures/virtual-time.js';
import { messages, rpcPending } from '../metrics.js';
import { type TestApplication, handled, startApplication } from '../fixtures/application.js';
import type { RpcRequest } from './rpc-headers.js';

describe('requests over Kafka', () => {
  let app: TestApplication;
  let lines: string[];
  beforeEach(async () => {
    useAdvanceableClock();
    lines = [];
    app = await startApplication({ logger: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) });
  });
  afterEach(async () => {
    await app.close();
    jest.useRealTimers();
  });

  const detail = (poRef: string, extra: Partial<RpcRequest> = {}) =>
    app.client.request(PATTERNS.detail, { poRef, includeLineItems: false }, { ...app.request, ...extra });

  const transition = (poRef: string, extra: Partial<RpcRequest> = {}) =>
    app.client.request(
      PATTERNS.transition,
      { poRef, request: { action: 'SUBMIT' } },
      { ...app.request, key: poRef, ...extra },
    );

  it('answers a query with status, allow-listed headers and the unchanged body', async () => {
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

  it('answers an error as problem+json in the language of the caller', async () => {
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

  it('answers a defect with 500 and no internal details', async () => {
    handled.failures.set('PO-BUG', [new TypeError('secret detail')]);
    const response = await detail('PO-BUG');
    expect(response.status).toBe(500);
    expect(response.body.toString()).not.toContain('secret');
  });

  it('answers a query with 503 before its deadline when the store stays unavailable', async () => {
    const failures = Array.from({ length: 100 }, () => new Error('connection lost'));
    await app.close();
    app = await startApplication({ deadlines: DEADLINES });
    handled.failures.set('PO-1', failures);
    const pendingResponse = detail('PO-1');
    await eventually('it is retried', () => handled.requests.length >= 4);
    // The remaining time is less than two more pauses, and more than an answer takes.
    await advanceClock(DEADLINES.query - 900);
    const response = await pendingResponse;
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
  });

  it('does not answer a request with an invalid actor signature', async () => {
    const { signer } = await actorKeys();
    const actorToken = (purpose: string) => signer.sign(actors.admin, purpose);
    messages.reset();
    const response = expireDeadline(detail('PO-1', { actorToken }), async () => {
      const { values } = await messages.get();
      return values.some(({ labels }) => labels.outcome === 'unauthenticated');
    });
    await expect(response).rejects.toMatchObject({ code: 'TIMEOUT', members: {} });
    expect(handled.requests).toEqual([]);
  });

  it('retries a command after a transient fault and answers once, and logs only the first failure', async () => {
    handled.failures.set('PO-1', [new Error('connection lost'), new Error('connection lost')]);
    const response = await transition('PO-1', { idempotencyKey: 'k-1', idempotencyOrigin: 'client', method: 'POST' });
    expect(response.status).toBe(200);
    expect(handled.requests).toHaveLength(3);
    const ids = handled.requests.map((query) => (query as { context: RpcContext }).context.commandId);
    expect(new Set(ids).size).toBe(1);
    expect(lines.filter((line) => line.includes('a handler failed'))).toHaveLength(1);
  });

  it('logs a command with the number of its order, once, and no query', async () => {
    await app.close();
    app = await startApplication({ logger: pino({}, { write: (line) => lines.push(line) }) });
    await transition('PO-1');
    await detail('PO-1');
    const type = PATTERNS.transition.type;
    await eventually('it is logged', () => lines.some((line) => line.includes('request handled')));
    expect(lines.map((line) => JSON.parse(line) as object).filter((line) => 'status' in line)).toEqual([
      expect.objectContaining({ msg: 'request handled', type, poRef: 'PO-1', status: 200, actor: 'u-acme' }),
    ]);
  });

  it('handles the commands of one order in sequence, and those of other orders concurrently', async () => {
    const slow = [transition('PO-SLOW'), transition('PO-SLOW')];
    await eventually('the first of them is being handled', () => handled.requests.length === 1);
    await expect(transition('PO-2')).resolves.toMatchObject({ status: 200 });
    expect(handled.requests).toHaveLength(2);
    handled.release();
    await expect(Promise.all(slow)).resolves.toHaveLength(2);
    expect(handled.requests).toHaveLength(3);
  });

  it('refuses unsent requests with 503 and Retry-After, and recovers when the broker is back', async () => {
    app.kafka.down = true;
    await expect(expireDeadline(transition('PO-1'))).rejects.toBeInstanceOf(ProblemError);
    const refused = transition('PO-1').catch((error: unknown) => error);
    // The request is refused at once, so none is pending.
    expect((await rpcPending.get()).values[0]?.value).toBe(0);
    expect(await refused).toMatchObject({ code: 'UNAVAILABLE', options: { headers: { 'retry-after': '2' } } });
    app.kafka.down = false;
    await eventually('it answers again', () => transition('PO-1').then(({ status }) => status === 200));
  });
});
