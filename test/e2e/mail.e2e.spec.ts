import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Notification, Preferences } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { openWorld } from './world.js';

describe('mails', () => {
  const world = openWorld();

  const page = async (path = '') => (await fetch(`${readStack().mailUrl}${path}`)).text();
  const mailsTo = async (address: string) => {
    const rows = (await page()).split('<tr>').filter((row) => row.includes(address));
    const paths = rows.map((row) => /href="\/([^"]+)"/.exec(row)?.[1] ?? '');
    return Promise.all(paths.map((path) => page(`${path}/text`)));
  };

  /** A vendor user with immediate mails and an unread notification. */
  async function notified() {
    const code = `MAIL-${randomUUID().slice(0, 8)}`;
    const user = { sub: code, email: `${code.toLowerCase()}@vendor.example`, vendor_code: code };
    const api = apiClient(readStack().gatewayUrl, await tokenOf('vendor:ACME', user));
    await api.get('/me');
    const { body: preferences } = await api.get<Preferences>('/me/preferences');
    await api.put('/me/preferences', { ...preferences, mail: { ...preferences.mail, TRANSITION: 'now' } });
    const { poNumber } = await world.importOrder({ vendor: { code, name: code } });
    const notification = await eventually('the user is notified', async () => {
      const { body } = await api.get<Notification[]>('/notifications');
      return body.find(({ poRef }) => poRef === poNumber);
    });
    return { api, user, notification };
  }

  it('are sent once for unread notifications and link to the order and to the unsubscribe page', async () => {
    const readAtOnce = async () => {
      const one = await notified();
      await one.api.put('/notifications/all/read');
      return one;
    };
    let reader = await readAtOnce();
    const recipient = await notified();
    const [text = ''] = await eventually('the mail arrives', async () => {
      const mails = await mailsTo(recipient.user.email);
      return mails.length > 0 && mails;
    });
    expect(text).toContain(`/orders/${recipient.notification.poRef}`);
    const link = /https?:[^\s<]+\/unsubscribe\?token=[\w.-]+/.exec(text)?.[0] ?? '';
    expect(await (await fetch(link)).text()).toContain('<form method="post">');
    expect((await fetch(`${link}x`, { method: 'POST' })).status).toBe(400);
    const mailOf = async () => (await recipient.api.get<Preferences>('/me/preferences')).body.mail;
    expect(await mailOf()).toMatchObject({ TRANSITION: 'now', REMINDER: 'now' });
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
    expect(await mailOf()).toMatchObject({ TRANSITION: 'off', REMINDER: 'now' });
    const { body } = await world.as('admin').get<unknown[]>('/mail/suppressions');
    expect(JSON.stringify(body)).not.toContain(recipient.user.email);
    await eventually('the queue is empty', async () => {
      const metrics = await (await fetch(`${readStack().managementUrls.mail[0]}/metrics`)).text();
      if (/mail_ended_total\{[^}]*outcome="read"[^}]*\} [1-9]/.test(metrics)) return true;
      // On a busy machine the mail may be due before it is read.
      if ((await mailsTo(reader.user.email)).length > 0) reader = await readAtOnce();
      return false;
    });
    expect(await mailsTo(reader.user.email)).toEqual([]);
    expect(await mailsTo(recipient.user.email)).toHaveLength(1);
  });
});
