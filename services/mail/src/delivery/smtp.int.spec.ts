import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@po/testing/eventually';
import type { QueuedNotification } from '../queue/queued-notification.js';
import { type Mailing, openMailing, queued } from '../fixtures/mailing.js';

let mailing: Mailing;
afterEach(() => mailing.close());

describe('a mail server', () => {
  it('is greeted with the domain of the sender, because some refuse a client by its greeting', async () => {
    mailing = await openMailing();
    await mailing.add(queued());
    await mailing.send();
    expect(mailing.server.mails).toMatchObject([{ greeting: 'example.com' }]);
  });

  it('that scans a mail for longer than the connection timeout gets it once', async () => {
    const { promise: looked, resolve } = Promise.withResolvers<undefined>();
    mailing = await openMailing({ smtp: { silentMs: 3_000 }, server: { received: () => looked } });
    await mailing.add(queued());
    const sending = mailing.send();
    await eventually('the server has the mail', () => mailing.server.mails.length === 1);
    // Waits for real time: an attempt that has already timed out would not see the answer.
    await delay(4_000);
    resolve(undefined);
    await sending;
    expect(await mailing.outcomes()).toEqual(['sent']);
    await mailing.send();
    expect(mailing.server.mails).toHaveLength(1);
  });
});

/** This text in every field that users or the inventory system fill. */
const everywhere = (text: string): Partial<QueuedNotification> => ({
  poRef: text,
  poNumber: text,
  vendor: text,
  actorName: text,
  comment: text,
  title: text,
  titleZh: text,
});

describe('user-written text', () => {
  it.each([
    ['headers', 'A\r\nBcc: all@example.com\r\n\r\n<p>gone</p>'],
    ['bare line breaks', 'A\nBcc: all@example.com\n.\nMAIL FROM:<x@y>'],
    ['an end of the mail', 'A\r\n.\r\nQUIT\r\n'],
    ['markup', '<img src=x onerror=alert(1)></p><script>1</script>"\'&amp;'],
    ['an encoded word', '=?utf-8?Q?=0D=0ABcc:_all@example.com?='],
    ['Chinese', '订单“一”，\r\nBcc：all@example.com 面料晚到🧵'],
    ['bidirectional and invisible characters', '\u202egnp.exe\u202c\u2066\u200b\u200d\u2028Bcc: all@example.com'],
  ])('with %s injects nothing and arrives as text', async (_what, text) => {
    mailing = await openMailing();
    await mailing.add(
      queued(everywhere(text)),
      queued({ ...everywhere(text), userId: 'u-2', email: 'zh@bolt.example', locale: 'zh' }),
      queued({ userId: 'u-3', email: 'plain@bolt.example' }),
    );
    await mailing.send();
    const mails = await mailing.mails();
    expect(mails).toHaveLength(3);
    expect(mailing.server.mails.map(({ to }) => to.length)).toEqual([1, 1, 1]);
    const keys = mails.map(({ headers }) => headers.map(({ key }) => key).toSorted());
    expect(keys).toEqual(Array(3).fill(keys[0]));
    expect(keys[0]).not.toContain('bcc');
    const onOneLine = (all = '') => all.replaceAll(/[\s\u2028]+/g, ' ').trim();
    for (const { subject, text: plain, html } of mails.filter(({ to }) => to?.[0]?.address !== 'plain@bolt.example')) {
      // An encoded word typed by a user stays text. Direction controls are replaced, because they would reorder the line.
      expect(subject).toBe(onOneLine(text.replaceAll(/\p{Bidi_Control}+/gu, ' ')));
      expect(onOneLine(plain?.replaceAll('\n> ', ' '))).toContain(onOneLine(text));
      expect(html).not.toMatch(/<(?:img|script)|<p>gone/);
    }
  });
});
