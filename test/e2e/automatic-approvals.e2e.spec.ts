import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { HistoryEntry, Kpis, Notification, TransitionResult, TransitionsResult } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import type { Answer, Api } from '../../deploy/local/api-client.js';
import { apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type World, openWorld } from './world.js';

const POLICY = { ...NO_DIFFERENCE, maxDaysLater: 7 };

describe('a submission within the approval policy of its vendor', () => {
  // A new vendor and a new buyer, so that orders of other tests are not approved.
  const tag = randomUUID().slice(0, 8).toUpperCase();
  const email = `${tag}@buyers.example`;
  let world: World;
  let vendor: Api;
  let buyer: Api;
  let stored: Answer<unknown>;
  beforeAll(async () => {
    world = openWorld();
    const user = async (role: string, claims: object) =>
      apiClient(readStack().gatewayUrl, await tokenOf('viewer', { sub: `${role}-${tag}`, role, ...claims }));
    vendor = await user('VENDOR', { vendor_code: tag });
    buyer = await user('BUYER', { email });
    for (const each of [vendor, buyer]) await each.get('/me');
    stored = await world.as('admin').put(`/approval-policies/${tag}`, POLICY);
  });

  const imported = async () =>
    (await world.importOrder({ vendor: { code: tag, name: `Policy ${tag}` }, buyer: { name: 'B', email } })).poNumber;
  const notifiedActions = async (api: Api, poRef: string) =>
    (await api.get<Notification[]>('/notifications')).body.flatMap((item) => (item.poRef === poRef ? item.action : []));

  it('is approved immediately, notifies both sides of the approval only, and is counted correctly', async () => {
    expect([stored.status, stored.headers.get('location'), stored.headers.get('etag')]).toEqual([
      201,
      `/api/approval-policies/${tag}`,
      '"1"',
    ]);
    const [single, first, second] = [await imported(), await imported(), await imported()];
    const { body, headers } = await vendor.post<TransitionResult>(`/purchase-orders/${single}/transition`, {
      action: 'SUBMIT',
    });
    expect([body, headers.get('etag')]).toMatchObject([{ newStatusId: 300, version: 3, autoApproved: true }, '"3"']);
    await vendor.patch(`/purchase-orders/${second}`, { vendor_reply_factory: 'Elsewhere' });
    const batch = await vendor.post<TransitionsResult>('/purchase-orders/transitions', {
      items: [first, second, single].map((poRef) => ({ poRef, action: 'SUBMIT' })),
    });
    expect(batch.body.results).toMatchObject([
      { poRef: first, newStatusId: 300, version: 3, autoApproved: true },
      { poRef: second, newStatusId: 200, version: 3, autoApproved: false },
      { poRef: single, status: 409, autoApproved: null },
    ]);
    const { body: history } = await vendor.get<HistoryEntry[]>(`/purchase-orders/${single}/history`);
    expect(history).toMatchObject([
      { action: 'APPROVE', actorRole: 'SYSTEM', actorName: null, comment: `Approval policy ${tag}, version 1` },
      { action: 'SUBMIT', id: body.historyId },
      { action: 'IMPORT' },
    ]);
    await eventually('both sides are notified', async () => {
      const notified = await Promise.all([
        notifiedActions(vendor, single),
        notifiedActions(buyer, single),
        notifiedActions(buyer, second),
      ]);
      return JSON.stringify(notified) === JSON.stringify([['APPROVE', 'IMPORT'], ['APPROVE'], ['SUBMIT']]);
    });
    await eventually('the dashboard counts them', async () => {
      const { body: kpis } = await vendor.get<Kpis>('/dashboard/kpis');
      return kpis.new === 0 && kpis.pending === 1 && kpis.confirmed === 2;
    });
    expect((await vendor.get('/dashboard/approvals')).body).toEqual({ days: 30, approved: 2, automatic: 2 });
    expect((await vendor.get(`/approval-policies/${tag}/history`)).status).toBe(403);
  });
});
