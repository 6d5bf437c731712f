import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Activity,
  AvailableAction,
  Filters,
  HistoryEntry,
  Kpis,
  LineItem,
  Me,
  Notification,
  PurchaseOrderDetail,
  PurchaseOrderDiff,
  PurchaseOrderList,
  Schedule,
  TransitionResult,
} from '@po/contracts';
import { z } from 'zod';
import { apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type World, openWorld } from './world.js';

describe('the endpoints', () => {
  let world: World;
  let poRef: string;
  beforeAll(async () => {
    world = openWorld();
    ({ poNumber: poRef } = await world.importOrder());
  });

  const reads: [string, () => string, z.ZodType][] = [
    ['the list', () => '/purchase-orders?limit=2&sortField=amount&sortDir=desc', PurchaseOrderList],
    ['one order', () => `/purchase-orders/${poRef}`, PurchaseOrderDetail],
    [
      'one order with its lines',
      () => `/purchase-orders/${poRef}?include=lineItems`,
      PurchaseOrderDetail.required({ lineItems: true }),
    ],
    ['line items', () => `/purchase-orders/${poRef}/line-items`, z.array(LineItem).min(1)],
    ['the diff', () => `/purchase-orders/${poRef}/diff`, PurchaseOrderDiff],
    ['history', () => `/purchase-orders/${poRef}/history`, z.array(HistoryEntry).min(1)],
    ['notifications', () => '/notifications', z.array(Notification)],
    ['actions', () => '/lookups/actions?statusId=100&role=vendor', z.array(AvailableAction).min(1)],
    ['counts', () => '/dashboard/kpis', Kpis],
    ['recent activity', () => '/dashboard/recent-activity', z.array(Activity)],
    ['the schedule', () => '/dashboard/schedule', Schedule],
    ['filters', () => '/po-filters', Filters],
    ['the current user', () => '/me', Me],
  ];

  it.each(reads)('answer %s with every documented key, to each role', async (_name, path, schema) => {
    for (const user of ['buyer', 'vendor:ACME', 'admin', 'viewer'] as const) {
      const answer = await world.as(user).get(path());
      expect([answer.status, answer.headers.get('x-api-version')]).toEqual([200, '1']);
      expect(schema.safeParse(answer.body).error?.issues ?? []).toEqual([]);
    }
  });

  it('answers HEAD as GET without a body', async () => {
    const [head, get] = [
      await world.as('buyer').head(`/purchase-orders/${poRef}`),
      await world.as('buyer').get(`/purchase-orders/${poRef}`),
    ];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });

  it('answers 304 while the version is the one the caller has', async () => {
    const { headers } = await world.as('buyer').get(`/purchase-orders/${poRef}`);
    const again = await world
      .as('buyer')
      .get(`/purchase-orders/${poRef}`, undefined, { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('links the pages of a list and counts it', async () => {
    const answer = await world.as('buyer').get<PurchaseOrderList>('/purchase-orders?limit=1&page=2');
    expect(answer.headers.get('link')).toMatch(/rel="first".*rel="prev".*rel="last"/s);
    expect(answer.headers.get('x-total-count')).toBe(String(answer.body.pagination.total));
    expect(answer.body.pagination.totalPages).toBe(answer.body.pagination.total);
  });

  it('takes the status filter in either language', async () => {
    const english = await world.as('buyer').get<PurchaseOrderList>('/purchase-orders?status=new');
    const chinese = await world
      .as('buyer')
      .get<PurchaseOrderList>(`/purchase-orders?status=${encodeURIComponent('新订单')}`);
    expect(chinese.body.data).toEqual(english.body.data);
    expect(english.body.data.every(({ statusId }) => statusId === 100)).toBe(true);
  });

  it('matches the reference in any case and echoes the canonical one', async () => {
    const { body } = await world.as('buyer').get<{ poRef: string }>(`/purchase-orders/${poRef.toLowerCase()}`);
    expect(body.poRef).toBe(poRef);
  });

  it('executes a transition and says what came of it', async () => {
    const answer = await world
      .as('vendor:ACME')
      .post<TransitionResult>(`/purchase-orders/${poRef}/transition`, { action: 'SUBMIT' });
    expect(TransitionResult.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body).toMatchObject({
      success: true,
      newStatusId: 200,
      newStatus: 'Pending Approval',
      message: 'Transition SUBMIT completed',
    });
    expect(answer.headers.get('etag')).toBe(`"${answer.body.version}"`);
  });

  it('marks one notification, then all', async () => {
    // Of a vendor whom no other test tells of orders meanwhile.
    const code = `MARKS-${randomUUID().slice(0, 8).toUpperCase()}`;
    const token = await tokenOf('vendor:ACME', { sub: code, vendor_code: code });
    const vendor = apiClient(readStack().gatewayUrl, token);
    for (let nth = 0; nth < 2; nth += 1) await world.importOrder({ vendor: { code, name: `${code} Ltd.` } });
    const body = await eventually('the vendor is told of both orders', async () => {
      const answer = await vendor.get<{ id: string; read: boolean }[]>('/notifications?unread=true');
      return answer.body.length === 2 && answer.body;
    });
    expect((await vendor.put(`/notifications/${body[0]?.id}/read`)).body).toEqual({ success: true });
    expect((await vendor.put(`/notifications/${body[0]?.id}/read`)).body).toEqual({ success: true });
    expect((await vendor.get('/notifications')).headers.get('x-unread-count')).toBe('1');
    expect((await vendor.put('/notifications/all/read')).body).toEqual({ success: true });
    const after = await vendor.get<{ read: boolean }[]>('/notifications');
    expect(after.headers.get('x-unread-count')).toBe('0');
    expect(after.body.every(({ read }) => read)).toBe(true);
  });
});
