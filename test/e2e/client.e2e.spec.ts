import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PurchaseOrderClient } from '@po/client';
import { type World, openWorld } from './world.js';

describe('the typed client', () => {
  let world: World;
  let vendor: PurchaseOrderClient;
  let buyer: PurchaseOrderClient;
  let order: { params: { path: { poRef: string } } };

  beforeEach(async () => {
    world = openWorld();
    vendor = world.session('vendor:ACME');
    buyer = world.session('buyer');
    order = { params: { path: { poRef: (await world.importOrder()).poNumber } } };
  });

  const look = async (user: PurchaseOrderClient) => (await user.GET('/purchase-orders/{poRef}', order)).data;

  it('refuses to overwrite a version that its user has not read, and succeeds after a read', async () => {
    await look(buyer);
    const body = { vendor_reply_comment: 'three days later' };
    await vendor.PATCH('/purchase-orders/{poRef}', { ...order, body });
    const cancel = () => buyer.POST('/purchase-orders/{poRef}/transition', { ...order, body: { action: 'CANCEL' } });
    await expect(cancel()).rejects.toMatchObject({
      name: 'ApiProblem',
      code: 'VERSION_MISMATCH',
      status: 412,
      document: { currentVersion: 2 },
    });
    expect(await look(buyer)).toMatchObject({ version: 2, statusId: 100 });
    expect((await cancel()).data).toMatchObject({ newStatusId: 900, version: 3 });
  });

  it('streams new notifications and order changes', async () => {
    const leave = new AbortController();
    const { poRef } = order.params.path;
    const wanted = new Set(['unread', 'notification', 'po-changed']);
    for await (const event of buyer.stream({ signal: leave.signal })) {
      if (event.event === 'unread' && wanted.delete('unread')) {
        await vendor.POST('/purchase-orders/{poRef}/transition', { ...order, body: { action: 'SUBMIT' } });
      }
      if (event.event === 'notification' && event.data.poRef === poRef) wanted.delete('notification');
      if (event.event === 'po-changed' && event.data.poRef === poRef && event.data.version === 2)
        wanted.delete('po-changed');
      if (wanted.size === 0) leave.abort();
    }
    expect(wanted.size).toBe(0);
  });
});
