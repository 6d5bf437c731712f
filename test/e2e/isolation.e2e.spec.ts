import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Activity, Filters, Kpis, Notification, PurchaseOrderList } from '@po/contracts';
import { eventually } from '../support/eventually.js';
import { type World, act, footprint, linesOf, openWorld } from './world.js';

describe('two vendors', () => {
  let world: World;
  let acme: string;
  let bolt: string;

  beforeAll(async () => {
    world = openWorld();
    ({ poNumber: acme } = await world.importOrder());
    ({ poNumber: bolt } = await world.importOrder({ vendor: { code: 'BOLT', name: 'Bolt Garments Co.' } }));
    for (const [user, poRef] of [
      ['vendor:ACME', acme],
      ['vendor:BOLT', bolt],
    ] as const) {
      await act(world.as(user), poRef, 'SUBMIT');
      await act(world.as('buyer'), poRef, 'REJECT');
    }
  });

  const vendor = () => world.as('vendor:ACME');

  it('answers another vendor’s order exactly as one that does not exist, on every route', async () => {
    const rowHash = (await linesOf(world.as('vendor:BOLT'), bolt))[0]?.sizes.M?.rowHash;
    const before = await footprint(world.as('vendor:BOLT'), bolt);
    const unknown = 'E2E-UNKNOWN';
    for (const attempt of [
      (poRef: string) => vendor().get(`/purchase-orders/${poRef}`),
      (poRef: string) => vendor().get(`/purchase-orders/${poRef}/line-items`),
      (poRef: string) => vendor().get(`/purchase-orders/${poRef}/diff`),
      (poRef: string) => vendor().get(`/purchase-orders/${poRef}/history`),
      (poRef: string) => vendor().patch(`/purchase-orders/${poRef}`, { container_number: 'X' }),
      (poRef: string) =>
        vendor().patch(`/purchase-orders/${poRef}/line-items`, { lines: [{ rowHash, vendorReplyQty: 1 }] }),
      (poRef: string) => vendor().post(`/purchase-orders/${poRef}/transition`, { action: 'SUBMIT' }),
    ]) {
      const [foreign, missing] = [await attempt(bolt), await attempt(unknown)];
      expect(foreign.status).toBe(404);
      const anonymous = ({ body, status }: typeof foreign) => ({
        status,
        ...(body as object),
        requestId: '',
        instance: '',
      });
      expect(anonymous(foreign)).toEqual(anonymous(missing));
    }
    expect(await footprint(world.as('vendor:BOLT'), bolt)).toEqual(before);
  });

  it('never see each other in lists, searches, filters, activity, inboxes or counts', async () => {
    for (const query of [
      '',
      '?vendor=BOLT',
      `?search=${bolt}`,
      '?vendor=Bolt%20Garments%20Co.',
      '?status=In%20Revision&limit=200',
    ]) {
      const { status, body } = await vendor().get<PurchaseOrderList>(`/purchase-orders${query}`);
      expect(status).toBe(200);
      expect(body.data.filter(({ vendorCode }) => vendorCode !== 'ACME')).toEqual([]);
    }
    expect((await vendor().get<Filters>('/po-filters')).body.vendors).toEqual(['Acme Apparel Ltd.']);
    const activity = await eventually('the own rejection is in the activity', async () => {
      const { body } = await vendor().get<Activity[]>('/dashboard/recent-activity');
      return body.some(({ poRef }) => poRef === acme) && body;
    });
    expect(activity.filter(({ vendorCode }) => vendorCode !== 'ACME')).toEqual([]);
    const { body: notifications } = await eventually('the own rejection is in the inbox', async () => {
      const answer = await vendor().get<Notification[]>('/notifications');
      return answer.body.some(({ poRef }) => poRef === acme) && answer;
    });
    expect(notifications.some(({ poRef }) => poRef === bolt)).toBe(false);
  });

  it('counts only the own orders, and the counts agree with the list', async () => {
    const kpis = await eventually('the counts agree with the list', async () => {
      const { body } = await vendor().get<Kpis>('/dashboard/kpis');
      const { body: list } = await vendor().get<PurchaseOrderList>('/purchase-orders?limit=1');
      return Object.values(body).reduce((sum, count) => sum + count, 0) === list.pagination.total && body;
    });
    expect(kpis.revision).toBeGreaterThan(0);
  });

  it('cannot mark each other’s notifications', async () => {
    const { body } = await world.as('vendor:BOLT').get<Notification[]>('/notifications?unread=true');
    const foreign = body[0]?.id ?? '';
    expect(foreign).not.toBe('');
    expect((await vendor().put(`/notifications/${foreign}/read`)).status).toBe(404);
    const after = await world.as('vendor:BOLT').get<Notification[]>('/notifications');
    expect(after.body.find(({ id }) => id === foreign)?.read).toBe(false);
  });
});
