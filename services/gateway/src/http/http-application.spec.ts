import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { PATTERNS, ProblemError, TOPICS } from '@po/contracts';
import { SerializedJson, type Reply, type RpcContext, notModified, ok } from '@po/messaging';
import { expireDeadline, useAdvanceableClock } from '@po/messaging/testing';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';

/** Resolved at the end; until then the service does not answer the user u-slow. */
const release = Promise.withResolvers<void>();
const received: { payload: unknown; context: RpcContext }[] = [];

/** Stub of the services on Kafka. It records what it receives, and its answers show what the gateway passes through. */
@Controller()
class Services {
  @MessagePattern(PATTERNS.list.type)
  list(@Payload() payload: unknown, @Ctx() context: RpcContext): Reply {
    received.push({ payload, context });
    return ok(new SerializedJson('{"data":[ ],  "pagination":{"total":1.50}}'), {
      link: '</x>; rel="next"',
      'x-total-count': '0',
    });
  }

  @MessagePattern(PATTERNS.detail.type)
  detail(@Payload() payload: unknown, @Ctx() context: RpcContext): Reply {
    received.push({ payload, context });
    if (context.ifNoneMatch === '"7"') return notModified({ etag: '"7"', 'cache-control': 'private, no-cache' });
    return ok({ poRef: 'PO-1' }, { etag: '"7"', 'cache-control': 'private, no-cache' });
  }

  @MessagePattern(PATTERNS.actions.type)
  actions(@Payload() payload: unknown, @Ctx() context: RpcContext): Reply {
    received.push({ payload, context });
    return ok([], { 'cache-control': 'private, max-age=300' });
  }

  @MessagePattern(PATTERNS.updateHeader.type)
  updateHeader(@Payload() payload: unknown, @Ctx() context: RpcContext): Reply {
    received.push({ payload, context });
    return ok({ poRef: 'PO-1' }, { etag: '"8"' });
  }

  @MessagePattern(PATTERNS.transition.type)
  transition(@Payload() payload: unknown, @Ctx() context: RpcContext): Reply {
    received.push({ payload, context });
    return ok({ success: true }, { etag: '"8"', 'idempotency-replayed': 'true' });
  }

  @MessagePattern(PATTERNS.updateLines.type)
  refuse(@Payload() payload: unknown, @Ctx() context: RpcContext): Reply {
    received.push({ payload, context });
    throw new ProblemError('VERSION_MISMATCH', { currentVersion: 9 }, { headers: { etag: '"9"' } });
  }

  @MessagePattern(PATTERNS.markRead.type)
  async markRead(@Payload() payload: unknown, @Ctx() context: RpcContext): Promise<Reply> {
    received.push({ payload, context });
    if (context.actor.sub === 'u-slow') await release.promise;
    return ok({ success: true });
  }
}

describe('the HTTP application', () => {
  let gateway: RunningGateway;
  let token: string;

  beforeAll(async () => {
    useAdvanceableClock();
    gateway = await runGateway({ services: [Services] });
    token = gateway.provider.token({ sub: 'u-acme', role: 'VENDOR', vendor_code: 'ACME', name: 'Li', locale: 'zh' });
  });
  beforeEach(() => {
    received.length = 0;
  });
  afterAll(async () => {
    release.resolve();
    await gateway.stop();
    jest.useRealTimers();
  });

  const call = (path: string, init: RequestInit & { token?: string } = {}) =>
    gateway.call(`/api${path}`, { token, ...init });
  const write = (path: string, method: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('passes status, allowed headers and body bytes through unchanged', async () => {
    const response = await call(
      '/purchase-orders?status=New,%E5%B7%B2%E5%8F%91%E8%B4%A7&limit=500&unknown=1&unknown=2',
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"data":[ ],  "pagination":{"total":1.50}}');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      link: '</x>; rel="next"',
      'x-total-count': '0',
      'x-api-version': '1',
      'cache-control': 'private, no-cache',
      vary: 'X-User-Token, Accept-Language',
    });
    expect(received).toMatchObject([{ payload: { status: ['New', '已发货'], limit: 200, page: 1 } }]);
  });

  it('sends caller, language, trace and request id to the service', async () => {
    await call('/purchase-orders', {
      headers: {
        'x-request-id': 'r-1',
        'accept-language': 'zh',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    });
    expect(received[0]?.context).toMatchObject({
      actor: { sub: 'u-acme', role: 'VENDOR', vendorCode: 'ACME', name: 'Li', email: null, locale: 'zh' },
      requestId: 'r-1',
      locale: 'zh',
      path: '/api/purchase-orders',
      traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-/),
    });
  });

  it('sends the canonical poRef and the conditions of a read to the service', async () => {
    const fresh = await call('/purchase-orders/po-1?include=lineItems');
    expect([fresh.status, fresh.headers.get('etag')]).toEqual([200, '"7"']);
    expect(received[0]?.payload).toEqual({ poRef: 'PO-1', includeLineItems: true });
    const known = await call('/purchase-orders/PO-1', { headers: { 'if-none-match': '"7"' } });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, '"7"', '']);
    expect(known.headers.get('content-type')).toBeNull();
  });

  it('answers HEAD as GET without the body', async () => {
    const response = await call('/purchase-orders', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-length')).toBe('42');
    expect(response.headers.get('x-total-count')).toBe('0');
  });

  it('keeps the Cache-Control of the service', async () => {
    const response = await call('/lookups/actions?statusId=100&role=vendor');
    expect(response.headers.get('cache-control')).toBe('private, max-age=300');
    expect(received[0]?.payload).toEqual({ statusId: 100, role: 'vendor' });
  });

  it('answers POST with 200 and sends Idempotency-Key and If-Match to the service', async () => {
    const body = { action: 'SUBMIT', comment: '  fine  ' };
    const response = await write('/purchase-orders/po-1/transition', 'POST', body, {
      'idempotency-key': 'key-1',
      'if-match': '"7", W/"8"',
    });
    expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(response.headers.get('etag')).toBe('"8"');
    expect(received).toMatchObject([
      {
        payload: { poRef: 'PO-1', request: { action: 'SUBMIT', comment: 'fine' } },
        context: {
          idempotencyKey: 'key-1',
          idempotencyOrigin: 'client',
          ifMatch: '"7", W/"8"',
          method: 'POST',
          path: '/api/purchase-orders/po-1/transition',
        },
      },
    ]);
    const [record] = gateway.kafka.records(TOPICS.commands);
    expect(record?.key?.toString()).toBe('PO-1');
  });

  it('generates an idempotency key for a write without one', async () => {
    await write('/purchase-orders/PO-1', 'PATCH', { vendor_reply_xfd: '' });
    expect(received).toMatchObject([
      {
        payload: { poRef: 'PO-1', patch: { vendor_reply_xfd: null } },
        context: {
          idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
          idempotencyOrigin: 'minted',
          ifMatch: null,
        },
      },
    ]);
  });

  it('passes an error of the service through', async () => {
    const lines = [{ rowHash: 'abc', vendorReplyQty: 1 }];
    const response = await write('/purchase-orders/PO-1/line-items', 'PATCH', { lines }, { 'if-match': '*' });
    expect(response.status).toBe(412);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.headers.get('etag')).toBe('"9"');
    expect(await response.json()).toMatchObject({
      code: 'VERSION_MISMATCH',
      currentVersion: 9,
      instance: '/api/purchase-orders/PO-1/line-items',
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('passes on the idempotency key with which notifications are marked as read', async () => {
    await call('/notifications/all/read', { method: 'PUT', headers: { 'idempotency-key': 'key-1' } });
    expect(received).toMatchObject([{ context: { idempotencyKey: 'key-1', idempotencyOrigin: 'client' } }]);
  });

  it('marks notifications as read with the user as record key, with or without a body', async () => {
    for (const init of [{}, { body: '{}', headers: { 'content-type': 'application/json' } }]) {
      const response = await call('/notifications/all/read', { method: 'PUT', ...init });
      expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    }
    expect(received.map(({ payload }) => payload)).toEqual([{ id: 'all' }, { id: 'all' }]);
    expect(gateway.kafka.records(TOPICS.notificationsRpc).at(-1)?.key?.toString()).toBe('u-acme');
  });

  it('answers 504 to a write without a reply, with outcome unknown and the key for a repeat', async () => {
    const slow = gateway.provider.token({ sub: 'u-slow' });
    const marking = call('/notifications/all/read', { method: 'PUT', token: slow });
    const response = await expireDeadline(marking, () => received.length > 0);
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({
      code: 'TIMEOUT',
      outcome: 'unknown',
      idempotencyKey: expect.any(String),
    });
  });

  it('announces the user to the directory', async () => {
    await call('/purchase-orders');
    const announced = () => gateway.kafka.records(TOPICS.users).map(({ key }) => key?.toString());
    await eventually('the user is announced', () => announced().includes('u-acme'));
    expect(announced().filter((key) => key === 'u-acme')).toHaveLength(1);
  });

  it('answers 503 with Retry-After while Kafka is unavailable, and recovers by itself', async () => {
    const change = ['/purchase-orders/PO-1', 'PATCH', { tracking_number: 'T' }] as const;
    gateway.kafka.down = true;
    try {
      const response = await expireDeadline(write(...change));
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([504, 'TIMEOUT']);
      const next = await write(...change);
      expect([next.status, next.headers.get('retry-after')]).toEqual([503, '2']);
    } finally {
      gateway.kafka.down = false;
    }
    await eventually('writes succeed again', async () => (await write(...change)).status === 200);
  });

  it('closes each connection after its response while draining', async () => {
    expect((await call('/purchase-orders')).headers.get('connection')).toBe('keep-alive');
    gateway.health.startDraining();
    expect((await call('/purchase-orders')).headers.get('connection')).toBe('close');
  });
});
