import { expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { composeMail } from '../content/compose.js';
import { composing } from '../fixtures/composing.js';
import { queued } from '../fixtures/mailing.js';
import { messageOf } from './message.js';

/** The message as it is sent. */
const compiled = async (message: ReturnType<typeof messageOf>): Promise<Buffer> => {
  const { message: sent } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  return sent as Buffer;
};

const PUBLIC_URL = 'https://purchase-orders.collaboration.apparel.example.com/with/a/long/path/of/its/portal';
const FROM = { name: 'Orders', address: 'orders@example.com' };

it.each([
  ['one order', '&<"红', () => 1],
  ['several orders', '&<"红', (index: number) => index],
  ['one order in Chinese', '红', () => 1],
  ['several orders in Chinese', '红', (index: number) => index],
  ['one order with rare characters', '𠮷', () => 1],
  ['several orders with emojis', '😀', (index: number) => index],
  ['several orders with quotes, each with several changes', '"漢', (index: number) => index % 60],
])('a mail about %s is sent with less than 60 KB, whatever the content', async (_about, characters, orderOf) => {
  const long = characters.repeat(1_000);
  const line = {
    field: 'factory',
    from: long,
    to: long,
    rowHash: 'r',
    code: long,
    style: long,
    color: long,
    size: long,
  };
  const notifications = Array.from({ length: 300 }, (_, index) => {
    const poRef = `${'P'.repeat(36)}-${orderOf(index)}`;
    const texts = { vendor: long, title: long, comment: long, actorName: long };
    const changes = { header: Array(5).fill(line), lines: Array(10).fill(line), more: 1_000 };
    return queued({ ...texts, poRef, poNumber: poRef, changes });
  });
  const document = composeMail(notifications, {
    mode: 'now',
    locale: 'zh',
    timeZone: 'Asia/Shanghai',
    publicUrl: PUBLIC_URL,
    unsubscribeUrl: `${PUBLIC_URL}/unsubscribe?token=t.t`,
  });
  const message = messageOf({ from: FROM, to: 'li@acme.example', document, notificationIds: ['n-1'], poRef: 'PO-1' });
  expect((await compiled(message)).length).toBeLessThan(60_000);
});

it('has only ASCII headers if the domain of the sender is internationalized', async () => {
  const document = composeMail([queued()], composing);
  const from = { name: 'Orders', address: 'orders@bücher.example' };
  const message = messageOf({ from, to: 'li@acme.example', document, notificationIds: ['n-1'], poRef: 'PO-1' });
  const [head = ''] = (await compiled(message)).toString().split('\r\n\r\n');
  expect(head.match(/[^\0-\x7f]+/g)).toBeNull();
  expect(head).toMatch(/^Message-ID: <\w+@xn--bcher-kva\.example>$/m);
});
