import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Message } from '@po/contracts';
import { apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type World, openWorld } from '../e2e/world.js';
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
