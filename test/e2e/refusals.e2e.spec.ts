import { beforeAll, describe, expect, it } from '@jest/globals';
import { apiClient } from '../support/api-client.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { type World, act, footprint, openWorld } from './world.js';

interface Problem {
  code: string;
  errors?: { in: string; pointer: string }[];
  [member: string]: unknown;
}

describe('refusals', () => {
  let world: World;
  let poRef: string;
  let submitted: string;

  beforeAll(async () => {
    world = openWorld();
    ({ poNumber: poRef } = await world.importOrder());
    ({ poNumber: submitted } = await world.importOrder());
    await act(world.as('vendor:ACME'), submitted, 'SUBMIT');
  });

  type Send = [
    user: DemoUser,
    method: 'get' | 'patch' | 'post' | 'put',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ];
  const long = 'x'.repeat(2001);
  const refusals: [string, () => Send, number, string, string | null][] = [
    [
      'an unknown field',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}`, { vendor_reply_xfdd: '2027-01-01' }],
      400,
      'VALIDATION_FAILED',
      '/vendor_reply_xfdd',
    ],
    [
      'a date that is not in the calendar',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}`, { vendor_reply_xfd: '2027-02-30' }],
      400,
      'VALIDATION_FAILED',
      '/vendor_reply_xfd',
    ],
    [
      'a date before the order date',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}`, { vendor_reply_xfd: '2025-01-01' }],
      422,
      'VALUE_OUT_OF_RANGE',
      '/vendor_reply_xfd',
    ],
    ['an empty patch', () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}`, {}], 400, 'VALIDATION_FAILED', ''],
    [
      'a comment that is too long',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}`, { vendor_reply_comment: long }],
      400,
      'VALIDATION_FAILED',
      '/vendor_reply_comment',
    ],
    [
      'a key of the prototype',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}`, JSON.parse('{"__proto__":{"x":1}}')],
      400,
      'VALIDATION_FAILED',
      '/__proto__',
    ],
    [
      'an unknown row',
      () => [
        'vendor:ACME',
        'patch',
        `/purchase-orders/${poRef}/line-items`,
        { lines: [{ rowHash: 'nope', vendorReplyQty: 1 }] },
      ],
      422,
      'ROW_NOT_FOUND',
      '/lines/0/rowHash',
    ],
    [
      'a fraction of a piece',
      () => [
        'vendor:ACME',
        'patch',
        `/purchase-orders/${poRef}/line-items`,
        { lines: [{ rowHash: 'nope', vendorReplyQty: 1.5 }] },
      ],
      400,
      'VALIDATION_FAILED',
      '/lines/0/vendorReplyQty',
    ],
    [
      'no lines',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${poRef}/line-items`, { lines: [] }],
      400,
      'VALIDATION_FAILED',
      '/lines',
    ],
    [
      'an unknown action',
      () => ['vendor:ACME', 'post', `/purchase-orders/${poRef}/transition`, { action: 'IMPORT' }],
      400,
      'VALIDATION_FAILED',
      '/action',
    ],
    [
      'an action that is not for this state',
      () => ['buyer', 'post', `/purchase-orders/${poRef}/transition`, { action: 'APPROVE' }],
      409,
      'TRANSITION_NOT_ALLOWED',
      null,
    ],
    [
      'an action that is never for this role',
      () => ['vendor:ACME', 'post', `/purchase-orders/${poRef}/transition`, { action: 'APPROVE' }],
      403,
      'ROLE_NOT_ALLOWED',
      null,
    ],
    [
      'a write by a viewer',
      () => ['viewer', 'post', `/purchase-orders/${poRef}/transition`, { action: 'SUBMIT' }],
      403,
      'ROLE_NOT_ALLOWED',
      null,
    ],
    [
      'a reply by a buyer',
      () => ['buyer', 'patch', `/purchase-orders/${poRef}`, { vendor_reply_comment: 'x' }],
      403,
      'ROLE_NOT_ALLOWED',
      null,
    ],
    [
      'an edit of a submitted order',
      () => ['vendor:ACME', 'patch', `/purchase-orders/${submitted}`, { container_number: 'x' }],
      409,
      'PO_NOT_EDITABLE',
      null,
    ],
    [
      'a stale version',
      () => [
        'vendor:ACME',
        'post',
        `/purchase-orders/${poRef}/transition`,
        { action: 'SUBMIT' },
        { 'if-match': '"99"' },
      ],
      412,
      'VERSION_MISMATCH',
      null,
    ],
    ['an unknown order', () => ['buyer', 'get', '/purchase-orders/E2E-NONE'], 404, 'PO_NOT_FOUND', null],
    ['a reference that cannot be one', () => ['buyer', 'get', '/purchase-orders/%20%20'], 404, 'PO_NOT_FOUND', null],
    ['a page that is no number', () => ['buyer', 'get', '/purchase-orders?page=x'], 400, 'VALIDATION_FAILED', '/page'],
    [
      'a repeated parameter',
      () => ['buyer', 'get', '/purchase-orders?page=1&page=2'],
      400,
      'VALIDATION_FAILED',
      '/page',
    ],
    [
      'an unknown sort field',
      () => ['buyer', 'get', '/purchase-orders?sortField=secret'],
      400,
      'VALIDATION_FAILED',
      '/sortField',
    ],
    ['a missing parameter', () => ['buyer', 'get', '/lookups/actions?statusId=100'], 400, 'VALIDATION_FAILED', '/role'],
    [
      'an unknown notification',
      () => ['buyer', 'put', '/notifications/none/read'],
      404,
      'NOTIFICATION_NOT_FOUND',
      null,
    ],
    ['an unknown route', () => ['buyer', 'get', '/nothing-here'], 404, 'ROUTE_NOT_FOUND', null],
    [
      'a method that the route does not have',
      () => ['buyer', 'put', `/purchase-orders/${poRef}`, {}],
      405,
      'METHOD_NOT_ALLOWED',
      null,
    ],
  ];

  it.each(refusals)('%s changes nothing and says why', async (_name, request, status, code, pointer) => {
    const [user, method, path, body, headers] = request();
    const before = [await footprint(world.as('admin'), poRef), await footprint(world.as('admin'), submitted)];
    const answer = await world.as(user)[method]<Problem>(path, body, headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({
      status,
      success: false,
      type: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    });
    expect(answer.body.message).toBe(answer.body.detail);
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
    expect((answer.body.errors ?? []).map((error) => error.pointer)).toEqual(pointer === null ? [] : [pointer]);
    expect([await footprint(world.as('admin'), poRef), await footprint(world.as('admin'), submitted)]).toEqual(before);
  });

  it('says what is possible instead when the state forbids it', async () => {
    const { body } = await world
      .as('buyer')
      .post<Problem>(`/purchase-orders/${poRef}/transition`, { action: 'APPROVE' });
    expect(body).toMatchObject({ currentStatusId: 100, currentStatus: 'New', allowedActions: ['CANCEL'] });
    const locked = await world
      .as('vendor:ACME')
      .patch<Problem>(`/purchase-orders/${submitted}`, { container_number: 'x' });
    expect(locked.body).toMatchObject({
      fields: ['container_number'],
      currentStatusId: 200,
      allowedActions: ['RECALL'],
    });
    const stale = await world
      .as('vendor:ACME')
      .post<Problem>(`/purchase-orders/${poRef}/transition`, { action: 'SUBMIT' }, { 'if-match': '"99"' });
    expect(stale.body.currentVersion).toBe(1);
    expect(stale.headers.get('etag')).toBe('"1"');
  });

  it('speaks Chinese to who asks for it', async () => {
    const { body } = await world
      .as('buyer')
      .get<Problem>('/purchase-orders/E2E-NONE', undefined, { 'accept-language': 'zh-CN' });
    expect(body).toMatchObject({ code: 'PO_NOT_FOUND', title: '未找到采购订单' });
  });

  it('lets nobody in without a good token', async () => {
    const { gatewayUrl, tokens } = readStack();
    const path = `/purchase-orders/${poRef}`;
    const codes = async (token: string | undefined) => {
      const answer = await apiClient(gatewayUrl, token).get<Problem>(path);
      return [answer.status, answer.body.code, answer.headers.get('www-authenticate') !== null];
    };
    expect(await codes(undefined)).toEqual([401, 'TOKEN_MISSING', true]);
    expect(await codes('x.y.z')).toEqual([401, 'TOKEN_INVALID', true]);
    expect(await codes(`${tokens.buyer.slice(0, -4)}AAAA`)).toEqual([401, 'TOKEN_INVALID', true]);
  });
});
