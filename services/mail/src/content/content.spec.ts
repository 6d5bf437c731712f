import { describe, expect, it } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { composing, notification } from '../fixtures/composing.js';
import type { QueuedNotification } from '../queue/queued-notification.js';
import { composeMail } from './compose.js';
import type { MailDocument } from './document.js';
import { html } from './html.js';
import { plainText } from './plain-text.js';

const HOSTILE = `<img src=x onerror="1">&amp;\r\nBcc: all@example.com\u0000\u202e`;

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:standard'],
    // The doctype is XHTML 1.0 Transitional, which allows the attributes that mail readers need for table layouts.
    rules: { 'doctype-html': 'off', 'no-deprecated-attr': 'off' },
  }),
);

async function faultsIn(markup: string): Promise<string[]> {
  const { results } = await validator.validateString(markup);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}

/** All texts of a mail in their order. */
function textsOf({ heading, blocks, button, footer }: MailDocument): string[] {
  const own = blocks.flatMap((block) => {
    switch (block.type) {
      case 'event':
        return [block.what, block.who];
      case 'changes':
        return block.rows.flatMap(({ label, from, to }) => [label, from, to]);
      case 'orders':
        return block.rows.flatMap(({ order, vendor, what, status }) => [order, vendor, what, status]);
      case 'comment':
      case 'note':
        return [block.text];
      default:
        return block satisfies never;
    }
  });
  return [heading, ...own, button.label, footer.why, footer.unsubscribe.label];
}

const unescaped = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|#x27|amp);/g,
    (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" })[entity] ?? '&',
  );

function expectToSayTheSame(document: MailDocument): void {
  const [markup, plain] = [html(document), plainText(document)];
  // A comment of several lines is quoted line by line.
  const lines = textsOf(document)
    .flatMap((text) => text.split('\n'))
    .filter(Boolean);
  const textOfHtml = unescaped(markup.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, '\n'));
  for (const line of lines) {
    expect(textOfHtml).toContain(line);
    expect(plain).toContain(line);
  }
}

describe('a mail about one order', () => {
  it("states the actor, the action, the time in the user's zone, the reason and the changes, in English", () => {
    const document = composeMail([notification()], composing);
    expect(document.subject).toBe('PO-1: Submit → Pending Approval by Li Wei');
    expect(plainText(document)).toBe(`PO-1 · Acme Apparel Ltd.
========================

Submit: In Revision → Pending Approval
Li Wei · vendor · 8 Mar 2026, 01:30 GMT-5

> fabric is late

Field: From -> To
- Ex-factory date: 1 Mar 2026 -> 15 Mar 2026
- Quantity · TS-100 / NVY / M: 1,200 -> 1,000

and 7 more changes in the order

Open the order: https://orders.example.com/orders/PO-1#entry-h-1

-- 
You get this e-mail because of your choices under “Preferences” in the portal.
Stop e-mails of this kind: https://orders.example.com/unsubscribe?token=t.t
`);
    expectToSayTheSame(document);
  });

  it('shows when the change happened, or in a record of an older release when the notification was created', () => {
    const textOf = (fields: Partial<QueuedNotification>) => plainText(composeMail([notification(fields)], composing));
    expect(textOf({ occurredAt: '2026-03-07T23:15:00.000Z' })).toContain('Li Wei · vendor · 7 Mar 2026, 18:15 GMT-5\n');
    expect(textOf({ occurredAt: undefined })).toContain('Li Wei · vendor · 8 Mar 2026, 01:30 GMT-5\n');
  });

  it('has the same content in Chinese', () => {
    const document = composeMail([notification()], { ...composing, locale: 'zh', timeZone: 'Asia/Shanghai' });
    expect(document.subject).toBe('PO-1：Li Wei 提交 → 待审批');
    const text = plainText(document);
    for (const part of [
      '提交：修订中 → 待审批',
      'Li Wei · 供应商 · 2026年3月8日',
      '14:30',
      '字段：变更前 -> 变更后\n- 离厂日期：2026年3月1日 -> 2026年3月15日',
      '打开订单：https://',
      '不再接收此类邮件：https://',
    ])
      expect(text).toContain(part);
    expectToSayTheSame(document);
    expect(html(document)).toContain('<html dir="ltr" lang="zh-CN">');
  });

  it('describes reminders, messages, and changes by the inventory system and approval policies', () => {
    const nobody = { comment: null, changes: null, actorName: null, actorRole: 'SYSTEM' };
    const document = composeMail(
      [
        notification({ ...nobody, action: 'SOURCE_UPDATE', fromStatusId: 200 }),
        notification({ ...nobody, action: 'APPROVE', fromStatusId: 200, toStatusId: 300, toStatus: 'Confirmed' }),
        notification({
          ...nobody,
          kind: 'REMINDER',
          action: null,
          reminder: { rule: 'EX_FACTORY_OVERDUE', dueOn: '2026-03-06', step: 2 },
          title: 'PO-1: ex-factory date 27 February has passed',
        }),
        notification({
          kind: 'MESSAGE',
          action: null,
          comment: 'two\nlines',
          changes: null,
          title: 'PO-1: message by Li Wei',
        }),
      ],
      composing,
    );
    const text = plainText(document);
    expect(document.subject).toBe('PO-1: 4 updates');
    expect(text).toContain('Source Update: Pending Approval\nInventory system · ');
    expect(text).toContain('Approve: Pending Approval → Confirmed\nApproved automatically · ');
    expect(text).toContain('\nEx-factory date 27 February has passed\nReminder of 6 Mar 2026 · ');
    expect(text).toContain('Message by Li Wei\nLi Wei · vendor');
    expect(text).toContain('> two\n> lines');
    expectToSayTheSame(document);
  });

  it('escapes user-written texts and keeps control characters out of headers', () => {
    const hostile = notification({
      title: HOSTILE,
      vendor: HOSTILE,
      poNumber: HOSTILE,
      comment: HOSTILE,
      actorName: HOSTILE,
      changes: { header: [{ field: HOSTILE, from: HOSTILE, to: HOSTILE }], lines: [], more: 0 },
    });
    const document = composeMail([hostile], composing);
    expect(document.subject).not.toMatch(/\p{C}/u);
    expect(html(document)).not.toContain('<img');
    expect(plainText(document)).not.toContain('\u0000');
    expectToSayTheSame(document);
  });
});

describe('a mail about several orders', () => {
  it.each([
    ['en', '2 orders: 3 updates', 'Submit: In Revision → Pending Approval (2 updates)'],
    ['zh', '2 个订单有 3 条动态', '提交：修订中 → 待审批（2 条动态）'],
  ] as const)('counts the updates of each order: %s', (locale, subject, what) => {
    const notifications = [notification(), notification(), notification({ poRef: 'PO-2', poNumber: 'PO-2' })];
    const document = composeMail(notifications, { ...composing, locale });
    expect(document.subject).toBe(subject);
    expect(plainText(document)).toContain(` | ${what} | `);
  });

  it('also counts updates whose content it does not have', () => {
    const notifications = [notification(), notification({ poRef: 'PO-2' })];
    const document = composeMail(notifications, composing, [notification(), ...notifications]);
    expect(plainText(document)).toContain('(2 updates)');
  });
});

describe('a mail', () => {
  const long = '&<"\u4e2d'.repeat(1_000);
  const line = { field: long, from: long, to: long, rowHash: 'r', code: long, style: long, color: long, size: long };
  const largest = (index: number) =>
    notification({
      poRef: `PO-${index}`,
      poNumber: long,
      vendor: long,
      title: long,
      comment: long,
      actorName: long,
      toStatus: 'Pending Approval',
      changes: { header: Array(5).fill(line), lines: Array(10).fill(line), more: 1_000 },
    });

  it.each([
    ['one order', () => Array.from({ length: 300 }, () => largest(1))],
    ['several orders', () => Array.from({ length: 300 }, (_, index) => largest(index))],
  ])('about %s is valid HTML, whatever the content', async (_about, notifications) => {
    const document = composeMail(notifications(), composing);
    expectToSayTheSame(document);
    expect(await faultsIn(html(document))).toEqual([]);
  });

  it.each(['en', 'zh'] as const)('is valid HTML in %s', async (locale) => {
    const hostile = notification({ comment: HOSTILE, poNumber: HOSTILE, vendor: HOSTILE, actorName: HOSTILE });
    for (const notifications of [[hostile], [hostile, notification({ poRef: 'PO-2' })]]) {
      expect(await faultsIn(html(composeMail(notifications, { ...composing, locale })))).toEqual([]);
    }
    expect(await faultsIn('<!DOCTYPE html><html lang="en"><p><div></div></p></html>')).not.toEqual([]);
  });

  it('has a preview text that starts with the event instead of repeating the subject', () => {
    const [, text = ''] = html(composeMail([notification()], composing)).split('</head>');
    expect(text.replace(/<[^>]*>/g, ' ').trim()).toMatch(/^PO-1 · Acme Apparel Ltd\. +Submit: In Revision/);
  });

  it('loads no external content, has one button and supports dark mode', () => {
    const markup = html(composeMail([notification(), notification({ poRef: 'PO-2' })], composing));
    expect(markup).not.toMatch(/<(?:img|link|script|iframe)|url\(|@import|src=/i);
    expect(markup.match(/>Open the orders</g)).toHaveLength(1);
    expect(markup).toContain('prefers-color-scheme: dark');
  });
});
