import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Notification, TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { type Api, apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { openWorld } from './world.js';

describe('a deleted user', () => {
  const world = openWorld();
  let code: string;
  let leaver: Api;
  let colleague: Api;
  beforeEach(async () => {
    code = `LEFT-${randomUUID().slice(0, 8)}`;
    [leaver, colleague] = [await vendorOf('leaver'), await vendorOf('colleague')];
  });

  const vendorOf = async (name: string) =>
    apiClient(readStack().gatewayUrl, await tokenOf('vendor:ACME', { sub: `${code}|${name}`, vendor_code: code }));
  const pathOf = (name: string) => `/users/${encodeURIComponent(`${code}|${name}`)}`;
  const importOrder = async () => (await world.importOrder({ vendor: { code, name: code } })).poNumber;
  const ordersIn = async (api: Api) =>
    (await api.get<Notification[]>('/notifications')).body.map(({ poRef }) => poRef).toReversed();
  const notified = (api: Api, orders: string[]) =>
    eventually('notifications arrive', async () => (await ordersIn(api)).join() === orders.join());
  const published = async (name: string, poRef: string) =>
    (await world.records(TOPICS.notifications, poRef)).filter(({ userId }) => userId === `${code}|${name}`).length;

  it('gets no notifications, even on the topic, until the next request, which restores no old ones', async () => {
    for (const api of [leaver, colleague]) await api.get('/me');
    const first = await importOrder();
    for (const api of [leaver, colleague]) await notified(api, [first]);
    expect((await world.as('admin').delete(pathOf('leaver'))).status).toBe(204);
    expect((await world.as('admin').delete(pathOf('leaver'))).status).toBe(204);

    const second = await importOrder();
    await notified(colleague, [first, second]);
    await eventually(
      'the notification of the colleague is published',
      async () => (await published('colleague', second)) === 1,
    );
    expect(await published('leaver', second)).toBe(0);

    // The user's first request after the deletion returns notifications from after the deletion, but none from before.
    await notified(leaver, [second]);
    const third = await importOrder();
    await notified(leaver, [second, third]);
    await eventually('the notification is published', async () => (await published('leaver', third)) === 1);
  });
});
