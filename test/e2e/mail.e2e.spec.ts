import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, type Notification, type NotificationCreated, TOPICS } from '@po/contracts';
import { cloudEventHeaders } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { type Api, apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type World, openWorld } from './world.js';

describe('mails', () => {
  let world: World;
  beforeAll(() => {
    world = openWorld();
  });

  const page = async (path = '') => (await fetch(`${readStack().mailUrl}${path}`)).text();
  const mailsTo = async (address: string) => {
    const rows = (await page()).split('<tr>').filter((row) => row.includes(address));
    const paths = rows.map((row) => /href="\/([^"]+)"/.exec(row)?.[1] ?? '');
    return Promise.all(paths.map((path) => page(`${path}/text`)));
  };

  /** A vendor's user with a notification that is not read. */
  async function notified() {
    const code = `MAIL-${randomUUID().slice(0, 8)}`;
    const user = { sub: code, email: `${code.toLowerCase()}@vendor.example`, vendor_code: code };
    const api = apiClient(readStack().gatewayUrl, await tokenOf('vendor:ACME', user));
    await api.get('/me');
    const { poNumber } = await world.importOrder({ vendor: { code, name: code } });
    const notification = await eventually('it is notified', async () => {
      const { body } = await api.get<Notification[]>('/notifications');
      return body.find(({ poRef }) => poRef === poNumber);
    });
    return { api, user, notification };
  }

  /** Announces it once more, as for somebody who wants mail now. */
  async function announce({ user, notification }: Awaited<ReturnType<typeof notified>>): Promise<void> {
    const value: NotificationCreated = {
      ...notification,
      userId: user.sub,
      email: user.email,
      locale: 'en',
      delivery: { mail: 'now', timeZone: 'Europe/Berlin', digestAt: '08:00' },
      changes: null,
    };
    const headers = cloudEventHeaders({
      id: notification.id,
      type: EVENT_TYPES.notificationCreated,
      source: '/test',
      subject: notification.poRef,
      time: notification.createdAt,
    });
    const producer = world.kafka.producer({ acks: 'all' });
    await producer.connect();
    await producer.send([
      { topic: TOPICS.notifications, key: notification.poRef, value: JSON.stringify(value), headers },
    ]);
    await producer.disconnect();
  }

  it('tell of what was not read, once, and lead to the order and to a page that ends them', async () => {
    const told = await notified();
    const reader = await notified();
    await (reader.api as Api).put('/notifications/all/read');
    await announce(reader);
    await announce(told);
    await announce(told);
    const [text = ''] = await eventually(
      'the mail arrives',
      async () => {
        const mails = await mailsTo(told.user.email);
        return mails.length > 0 && mails;
      },
      { timeoutMs: 30_000 },
    );
    expect(text).toContain(`/orders/${told.notification.poRef}`);
    const link = /https?:[^\s<]+\/unsubscribe\?token=[\w.-]+/.exec(text)?.[0] ?? '';
    expect(await (await fetch(link)).text()).toContain('<form method="post">');
    expect((await fetch(`${link}x`)).status).toBe(400);
    const { body } = await world.as('admin').get<unknown[]>('/mail/suppressions');
    expect(JSON.stringify(body)).not.toContain(told.user.email);
    await eventually(
      'the queue is empty',
      async () => {
        const metrics = await (await fetch(`${readStack().managementUrls.mail[0]}/metrics`)).text();
        return /mail_ended_total\{[^}]*outcome="read"[^}]*\} [1-9]/.test(metrics);
      },
      { timeoutMs: 30_000 },
    );
    expect(await mailsTo(reader.user.email)).toEqual([]);
    expect(await mailsTo(told.user.email)).toHaveLength(1);
  });
});
