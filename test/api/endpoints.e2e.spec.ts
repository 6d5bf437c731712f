import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Message, type PurchaseOrderDetail, type PurchaseOrderList, TransitionResult } from '@po/contracts';
import { apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type World, linesOf, openWorld } from '../e2e/world.js';
import { PUBLISHED } from './document.js';
import { RULES } from '../../deploy/documents/access-rules/all.js';
import type { Subject, Verdict } from '../../deploy/documents/access-rules/rule.js';
import { ask } from './send.js';

const UNREADABLE: readonly Verdict[] = ['refused', 'unknown'];
const READS = PUBLISHED.filter(({ id, method }) => method === 'GET' && id !== 'streamNotifications').flatMap(
  ({ id, path }) =>
    (RULES[id] ?? [])
      .filter(
        ({ verdicts }) => ![verdicts.BUYER, verdicts['own vendor']].some((verdict) => UNREADABLE.includes(verdict)),
      )
      .map((rule) => [`${path} ${rule.part}`.trim(), rule] as const),
);

describe('the endpoints', () => {
  let world: World;
  let poRef: string;
  let messages: Subject['messages'];
  beforeAll(async () => {
    world = openWorld();
    ({ poNumber: poRef } = await world.importOrder());
    const written = await world
      .as('vendor:ACME')
      .post<Message>(`/purchase-orders/${poRef}/messages`, { body: 'Hello' });
    messages = { poRef, shown: written.body.id, internal: '' };
  });

  it.each(READS)('answer GET %s to each role', async (_title, { request, verdicts }) => {
    const { path } = request({
      poRef,
      vendorCode: 'ACME',
      buyerEmail: 'buyer@example.com',
      rowHash: '',
      notificationId: '',
      userId: '',
      suppressed: '',
      views: { private: '', shared: '', internal: '' },
      policy: '',
      messages,
    });
    for (const user of ['buyer', 'vendor:ACME', 'admin', 'viewer'] as const) {
      const { status, body } = await ask({ method: 'GET', path }, readStack().tokens[user]);
      // What is not of several orders is of this one, and has something to show.
      const isMissing = verdicts['other vendor'] !== 'hidden' && isDeepStrictEqual(body, []);
      expect([user, status, isMissing]).toEqual([user, 200, false]);
    }
  });

  it('answer with the lines of an order only where they are asked for', async () => {
    const buyer = world.as('buyer');
    const [without, included] = [
      await buyer.get<PurchaseOrderDetail>(`/purchase-orders/${poRef}`),
      await buyer.get<PurchaseOrderDetail>(`/purchase-orders/${poRef}?include=lineItems`),
    ];
    expect(without.body).not.toHaveProperty('lineItems');
    expect(included.body.lineItems).toEqual(await linesOf(buyer, poRef));
  });

  it('answer HEAD as GET without a body', async () => {
    const [head, get] = [
      await world.as('buyer').head(`/purchase-orders/${poRef}`),
      await world.as('buyer').get(`/purchase-orders/${poRef}`),
    ];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });

  it('answer 304 while the caller has the current version', async () => {
    const { headers } = await world.as('buyer').get(`/purchase-orders/${poRef}`);
    const again = await world
      .as('buyer')
      .get(`/purchase-orders/${poRef}`, undefined, { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('link the pages of a list and count its orders', async () => {
    const answer = await world.as('buyer').get<PurchaseOrderList>('/purchase-orders?limit=1&page=2');
    expect(answer.headers.get('link')).toMatch(/rel="first".*rel="prev".*rel="last"/s);
    expect(answer.headers.get('x-total-count')).toBe(String(answer.body.pagination.total));
    expect(answer.body.pagination.totalPages).toBe(answer.body.pagination.total);
  });

  it('take the status filter in either language', async () => {
    const english = await world.as('buyer').get<PurchaseOrderList>('/purchase-orders?status=new');
    const chinese = await world
      .as('buyer')
      .get<PurchaseOrderList>(`/purchase-orders?status=${encodeURIComponent('新订单')}`);
    expect(chinese.body.data).toEqual(english.body.data);
    expect(english.body.data.every(({ statusId }) => statusId === 100)).toBe(true);
  });

  it('find an order by its reference in any case and answer with the canonical one', async () => {
    const { body } = await world.as('buyer').get<{ poRef: string }>(`/purchase-orders/${poRef.toLowerCase()}`);
    expect(body.poRef).toBe(poRef);
  });

  it('execute a transition and answer with its result', async () => {
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

  it('mark one notification as read, then all', async () => {
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
