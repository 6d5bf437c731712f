import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PurchaseOrderList, Schedule } from '@po/contracts';
import { type Api, apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type World, act, openWorld } from './world.js';

const DAY_MS = 86_400_000;
const PIECES = 65;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('the schedule of a new vendor', () => {
  const code = `SCHEDULE-${randomUUID().slice(0, 8).toUpperCase()}`;
  const company = { code, name: `${code} Ltd.` };
  let world: World;
  let vendor: Api;
  beforeAll(async () => {
    world = openWorld();
    const token = await tokenOf('vendor:ACME', { sub: code, vendor_code: code });
    vendor = apiClient(readStack().gatewayUrl, token);
  });

  const schedule = async (api: Api = vendor) => (await api.get<Schedule>('/dashboard/schedule')).body;
  const orders = async () => (await schedule()).weeks.map((week) => week.orders);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

  it('is empty, whatever others have', async () => {
    await world.importOrder({ xfd: inDays(-1) });
    const { weeks, overdue, overdueTotal } = await schedule();
    expect([weeks.length, sum(await orders()), overdue, overdueTotal]).toEqual([12, 0, [], 0]);
    expect((await schedule(world.as('viewer'))).overdueTotal).toBeGreaterThan(0);
  });

  it('follows the dates and the statuses of its orders', async () => {
    const { poNumber } = await world.importOrder({ vendor: company, xfd: inDays(-10) });
    const late = { vendor: company.name, vendorCode: code, orders: 1, quantity: PIECES };
    expect(await schedule()).toMatchObject({ overdue: [late], overdueTotal: 1 });
    expect(sum(await orders())).toBe(0);
    // The list that the dashboard leads to has the same orders.
    const { body } = await vendor.get<PurchaseOrderList>(`/purchase-orders?overdue=true&vendor=${code}`);
    expect(body.data.map(({ poRef }) => poRef)).toEqual([poNumber]);

    await vendor.patch(`/purchase-orders/${poNumber}`, { vendor_reply_xfd: inDays(7) });
    expect(await schedule()).toMatchObject({ overdue: [], overdueTotal: 0 });
    expect((await orders())[1]).toBe(1);

    await act(vendor, poNumber, 'SUBMIT');
    await act(world.as('buyer'), poNumber, 'CANCEL', 'Season is over');
    expect(sum(await orders())).toBe(0);
  });

  it('is asked for by GET and HEAD, and by nobody without a token', async () => {
    expect((await vendor.head('/dashboard/schedule')).status).toBe(200);
    expect((await vendor.post('/dashboard/schedule', {})).status).toBe(405);
    expect((await apiClient(readStack().gatewayUrl).get('/dashboard/schedule')).status).toBe(401);
  });
});
