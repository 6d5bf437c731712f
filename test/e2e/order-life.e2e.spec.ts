import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PurchaseOrderClient } from '@po/client';
import { type Action, GROUPS, type Notification, TOPICS } from '@po/contracts';
import { requireNoLag } from '../../deploy/local/stack/backlog.js';
import { eventually } from '@po/testing/eventually';
import { type World, openWorld } from './world.js';

describe('an order from import to delivery', () => {
  let world: World;
  let poRef: string;
  let vendor: PurchaseOrderClient;
  let buyer: PurchaseOrderClient;

  beforeAll(async () => {
    world = openWorld();
    vendor = world.session('vendor:ACME');
    buyer = world.session('buyer');
    await known();
    ({ poNumber: poRef } = await world.importOrder());
  });

  // Notifications from before a user's first login are not published.
  const known = async () => {
    for (const user of [vendor, buyer]) await user.GET('/me');
    await eventually('both users are in the directory', async () => {
      const seen = await world.raw(TOPICS.users, ({ key }) => ['demo-acme', 'demo-buyer'].includes(String(key)));
      if (new Set(seen.map(({ key }) => String(key))).size < 2) return false;
      const admin = await world.kafka.admin();
      await requireNoLag(admin, '', [GROUPS.notificationsEvents]).finally(() => admin.close());
      return true;
    });
  };
  const order = () => ({ params: { path: { poRef } } });
  const detailOf = async (user: PurchaseOrderClient) => (await user.GET('/purchase-orders/{poRef}', order())).data;
  const linesOf = async (user: PurchaseOrderClient) =>
    (await user.GET('/purchase-orders/{poRef}/line-items', order())).data;
  const historyOf = async (user: PurchaseOrderClient) =>
    (await user.GET('/purchase-orders/{poRef}/history', order())).data;
  const inbox = async (user: PurchaseOrderClient) =>
    (await user.GET('/notifications')).data.filter((item) => item.poRef === poRef);
  // Users read before they act: every write is conditional on the version that the session read last.
  const reply = async (body: { vendor_reply_xfd?: string; container_number?: string }) => {
    await detailOf(vendor);
    return vendor.PATCH('/purchase-orders/{poRef}', { ...order(), body });
  };
  const act = async (user: PurchaseOrderClient, action: Action, comment?: string) => {
    await detailOf(user);
    await user.POST('/purchase-orders/{poRef}/transition', { ...order(), body: { action, comment } });
  };

  it('is imported as New, and the vendor is notified', async () => {
    const detail = await detailOf(vendor);
    expect(detail).toMatchObject({
      statusId: 100,
      status: 'New',
      statusZh: '新订单',
      version: 1,
      vendorCode: 'ACME',
      totalQty: 65,
      amount: 812.5,
      lineCount: 2,
      xfDate: '2027-03-01',
      hasPendingChanges: false,
    });
    expect(detail.availableActions.map(({ action }) => action)).toEqual(['SUBMIT']);
    const [notification] = await eventually('the vendor is notified', async () => {
      const items = await inbox(vendor);
      return items.length === 1 && items;
    });
    expect(notification).toMatchObject({
      action: 'IMPORT',
      toStatusId: 100,
      read: false,
      poNumber: poRef,
      actorRole: 'SYSTEM',
    });
    expect(await inbox(buyer)).toEqual([]);
  });

  it('stores the vendor’s replies next to the original values', async () => {
    const body = {
      vendor_reply_xfd: '2027-03-15',
      vendor_reply_factory: 'Ningbo 3',
      vendor_reply_comment: '面料延误 — fabric is late',
    };
    const patched = await vendor.PATCH('/purchase-orders/{poRef}', { ...order(), body });
    expect(patched.response.headers.get('etag')).toBe('"2"');
    const [navy] = await linesOf(vendor);
    const hashOf = (size: string) => navy?.sizes[size]?.rowHash ?? '';
    const { data: items } = await vendor.PATCH('/purchase-orders/{poRef}/line-items', {
      ...order(),
      body: {
        lines: [
          { rowHash: hashOf('M'), vendorReplyQty: 15, vendorReplyUnitPrice: 12.75 },
          { rowHash: hashOf('L'), vendorReplyQty: 30 },
        ],
      },
    });
    expect(items).toMatchObject([
      {
        unitPrice: 12.75,
        originalUnitPrice: 12.5,
        vendorReplyUnitPrice: 12.75,
        totalQty: 55,
        originalTotalQty: 60,
        totalAmount: 701.25,
        isModified: true,
        sizeOrder: ['S', 'M', 'L'],
        sizes: {
          M: { qty: 15, originalQty: 20, vendorReplyQty: 15 },
          L: { qty: 30, vendorReplyQty: 30 },
          S: { vendorReplyQty: null },
        },
      },
      { color: 'RED', isModified: false, totalAmount: 62.5 },
    ]);
    expect(await detailOf(buyer)).toMatchObject({
      version: 3,
      originalXfd: '2027-03-01',
      vendorReplyXfd: '2027-03-15',
      xfDate: '2027-03-15',
      originalFactory: 'Ningbo 2',
      factory: 'Ningbo 3',
      amount: 763.75,
      originalAmount: 812.5,
      hasPendingChanges: true,
    });
  });

  it('goes through rejection, correction, approval, production, shipping and delivery', async () => {
    await act(vendor, 'SUBMIT', 'please check');
    await act(buyer, 'REJECT', 'date is too late');
    await reply({ vendor_reply_xfd: '2027-03-08' });
    await act(vendor, 'SUBMIT');
    await act(buyer, 'APPROVE');
    expect(await detailOf(vendor)).toMatchObject({
      statusId: 300,
      agreedXfd: '2027-03-08',
      agreedFactory: 'Ningbo 3',
      hasPendingChanges: false,
      editableFields: ['container_number', 'tracking_number'],
    });
    await act(vendor, 'MOVE_TO_PRODUCTION');
    await reply({ container_number: 'MSKU1234567' });
    await act(vendor, 'MARK_SHIPPED');
    await act(buyer, 'CONFIRM_DELIVERY');
    const delivered = await detailOf(vendor);
    expect(delivered).toMatchObject({
      statusId: 600,
      status: 'Delivered',
      hasPendingChanges: false,
      availableActions: [],
    });
    expect(delivered.editableFields).toEqual([]);
  });

  const LIFE = [
    'IMPORT',
    'SUBMIT',
    'REJECT',
    'SUBMIT',
    'APPROVE',
    'MOVE_TO_PRODUCTION',
    'MARK_SHIPPED',
    'CONFIRM_DELIVERY',
  ];

  it('has every step in its history, newest first, with comments and changes', async () => {
    const history = await historyOf(buyer);
    expect(history.map(({ action }) => action)).toEqual(LIFE.toReversed());
    const bySubmit = history.at(-2);
    expect(bySubmit).toMatchObject({
      comment: 'please check',
      actorRole: 'VENDOR',
      fromStatusId: 100,
      toStatusId: 200,
    });
    expect(bySubmit?.changes?.header).toEqual(
      expect.arrayContaining([
        { field: 'xfDate', from: '2027-03-01', to: '2027-03-15' },
        { field: 'factory', from: 'Ningbo 2', to: 'Ningbo 3' },
      ]),
    );
    expect(bySubmit?.changes?.lines).toEqual(
      expect.arrayContaining([expect.objectContaining({ color: 'NVY', size: 'M', field: 'qty', from: 20, to: 15 })]),
    );
    const shipped = history.find(({ action }) => action === 'MARK_SHIPPED');
    expect(shipped?.changes?.header).toEqual([{ field: 'containerNumber', from: null, to: 'MSKU1234567' }]);
  });

  it('notifies each side once of every action of the other side, but not of its own', async () => {
    const actions = (items: Notification[]) => items.map(({ action }) => action).toReversed();
    await eventually('the vendor’s inbox is complete', async () => (await inbox(vendor)).length === 4);
    expect(actions(await inbox(vendor))).toEqual(['IMPORT', 'REJECT', 'APPROVE', 'CONFIRM_DELIVERY']);
    await eventually('the buyer’s inbox is complete', async () => (await inbox(buyer)).length === 4);
    expect(actions(await inbox(buyer))).toEqual(['SUBMIT', 'SUBMIT', 'MOVE_TO_PRODUCTION', 'MARK_SHIPPED']);
  });

  it('is published with every history entry in order, and the agreed values on APPROVE', async () => {
    const transitions = await eventually('all transitions are on the topic', async () => {
      const records = await world.records(TOPICS.transitions, poRef);
      return records.length === LIFE.length && records;
    });
    expect(transitions.map(({ action, sequence }) => [sequence, action])).toEqual(
      LIFE.map((action, index) => [index + 1, action]),
    );
    const history = await historyOf(buyer);
    expect(transitions.map(({ id }) => id)).toEqual(history.map(({ id }) => id).toReversed());
    const approved = transitions.find(({ action }) => action === 'APPROVE') as {
      agreed: { xfd: string; lines: unknown[] };
    };
    expect(approved.agreed).toMatchObject({ xfd: '2027-03-08', factory: 'Ningbo 3' });
    expect(approved.agreed.lines).toContainEqual(
      expect.objectContaining({ color: 'NVY', size: 'M', qty: 15, unitPrice: 12.75 }),
    );
    const state = (await world.records(TOPICS.state, poRef)).at(-1);
    const detail = await detailOf(buyer);
    expect(state).toMatchObject({ poVersion: detail.version, statusId: 600, amount: detail.amount });
  });

  it('has each of its notifications published once, under the PO number', async () => {
    const announced = await eventually('all notifications are on the topic', async () => {
      const records = await world.records(TOPICS.notifications, poRef);
      return records.length >= 8 && records;
    });
    const of = (userId: string) => announced.filter((record) => record.userId === userId).map(({ action }) => action);
    expect(of('demo-acme')).toEqual(['IMPORT', 'REJECT', 'APPROVE', 'CONFIRM_DELIVERY']);
    expect(of('demo-buyer')).toEqual(['SUBMIT', 'SUBMIT', 'MOVE_TO_PRODUCTION', 'MARK_SHIPPED']);
    expect(new Set(announced.map(({ id }) => id)).size).toBe(announced.length);
  });

  it('appears on the dashboards of both sides', async () => {
    const latest = await eventually('the delivery is the newest activity', async () => {
      const { data } = await vendor.GET('/dashboard/recent-activity');
      return data.find((entry) => entry.poRef === poRef && entry.action === 'CONFIRM_DELIVERY');
    });
    expect(latest).toMatchObject({
      fromStatus: 'Shipped',
      toStatus: 'Delivered',
      actorRole: 'BUYER',
      vendorCode: 'ACME',
    });
    const { data: kpis } = await buyer.GET('/dashboard/kpis');
    expect(kpis.delivered).toBeGreaterThan(0);
  });
});
