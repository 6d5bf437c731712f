import { describe, expect, it } from '@jest/globals';
import { type Locale, MAX_EXCERPT } from '@po/contracts';
import { composing, notification } from '../fixtures/composing.js';
import type { QueuedNotification } from '../queue/queued-notification.js';
import { composeMail } from './compose.js';
import { plainText } from './plain-text.js';

const MESSAGE = {
  kind: 'MESSAGE',
  action: null,
  historyId: null,
  changes: null,
  title: 'PO-1: message by Li Wei',
  titleZh: 'PO-1：Li Wei 的消息',
};

const textOf = (notifications: readonly QueuedNotification[], locale: Locale = 'en') =>
  plainText(composeMail(notifications, { ...composing, locale }));

describe('a mail about one order', () => {
  it('formats date fields as dates, but not texts that look like dates', () => {
    const moved = (field: string, to: string) => ({ field, from: null, to });
    const header = [
      moved('xfDate', '2026-03-15'),
      moved('vendorReplyXfd', '2026-03-16'),
      moved('containerNumber', '1234-56-78'),
      moved('trackingNumber', '0000-00-00'),
      moved('factory', '2026-13-01'),
      moved('vendorReplyComment', '2026-03-17'),
    ];
    const { blocks } = composeMail([notification({ changes: { header, lines: [], more: 0 } })], composing);
    const rows = blocks.flatMap((block) => (block.type === 'changes' ? block.rows : []));
    expect(rows.map(({ to }) => to)).toEqual([
      '15 Mar 2026',
      '16 Mar 2026',
      '1234-56-78',
      '0000-00-00',
      '2026-13-01',
      '2026-03-17',
    ]);
  });

  it.each(['unitPrice', 'vendorReplyUnitPrice'])('formats %s with at least two decimals', (field) => {
    const header = [
      { field, from: 12.5, to: 0.1234 },
      { field: 'qty', from: 1, to: 2 },
    ];
    const { blocks } = composeMail([notification({ changes: { header, lines: [], more: 0 } })], composing);
    const rows = blocks.flatMap((block) => (block.type === 'changes' ? block.rows : []));
    expect(rows.map(({ from, to }) => [from, to])).toEqual([
      ['12.50', '0.1234'],
      ['1', '2'],
    ]);
  });

  it('links to the message that it is about', () => {
    const urlOf = (messageId?: string) => composeMail([notification({ ...MESSAGE, messageId })], composing).button.url;
    expect(urlOf('m-1')).toBe('https://orders.example.com/orders/PO-1#message-m-1');
    expect(urlOf()).toBe('https://orders.example.com/orders/PO-1');
  });

  it('ends the beginning of a longer message with an ellipsis', () => {
    const beginning = '🚢'.repeat(MAX_EXCERPT);
    const shorter = '🚢'.repeat(MAX_EXCERPT - 1);
    expect(textOf([notification({ ...MESSAGE, comment: beginning })])).toContain(`> ${beginning}…\n`);
    expect(textOf([notification({ ...MESSAGE, comment: shorter })])).toContain(`> ${shorter}\n`);
    expect(textOf([notification({ comment: beginning })])).toContain(`> ${beginning}\n`);
  });

  it.each([
    ['en', 'Internal message by li na', 'Message by Li Wei'],
    ['zh', 'li na 的内部消息', 'Li Wei 的消息'],
  ] as const)('says which messages are internal, also in a table of orders: %s', (locale, internal, visible) => {
    const title = { title: 'PO-1: internal message by li na', titleZh: 'PO-1：li na 的内部消息' };
    const message = notification({ ...MESSAGE, ...title });
    const text = textOf([message, notification(MESSAGE)], locale);
    for (const what of [internal, visible]) expect(text).toContain(`\n\n${what}\nLi Wei · `);
    expect(textOf([message, notification({ poRef: 'PO-2' })], locale)).toContain(` | ${internal} | `);
  });

  it.each(['now', 'digest'] as const)(
    'says that a message is internal even if its author has a long name: %s',
    (mode) => {
      const actorName = '$&'.repeat(100);
      const message = notification({ ...MESSAGE, actorName, titleZh: `PO-1：${actorName} 的内部消息` });
      const { subject, blocks } = composeMail([message], { ...composing, mode, locale: 'zh' });
      expect(subject).toMatch(/… 的内部消息$/);
      expect(blocks).toContainEqual(expect.objectContaining({ what: expect.stringMatching(/… 的内部消息$/) }));
    },
  );

  it.each([
    ['S', 'T-100', 'NVY', 'T-100 / NVY / S'],
    ['M', 'C'.repeat(100), 'NVY', `${'C'.repeat(49)}… / NVY / M`],
    ['L', 'C'.repeat(100), 'R'.repeat(100), `${'C'.repeat(25)}… / ${'R'.repeat(25)}… / L`],
    ['X'.repeat(50), 'C'.repeat(100), 'NVY', `${'C'.repeat(24)}… / NVY / ${'X'.repeat(24)}…`],
  ])('cuts only the longest parts of a long line, so that its size remains: %s', (size, code, color, name) => {
    const line = { field: 'qty', from: 1, to: 2, rowHash: 'r', code, style: code, color, size };
    const { blocks } = composeMail([notification({ changes: { header: [], lines: [line], more: 0 } })], composing);
    expect(blocks).toContainEqual({ type: 'changes', rows: [{ label: `Quantity · ${name}`, from: '1', to: '2' }] });
  });

  it.each(['en', 'zh'] as const)('omits the comment of an approval policy, which is always English: %s', (locale) => {
    const comment = 'Approval policy default, version 3';
    const approval = notification({ action: 'APPROVE', actorName: null, actorRole: 'SYSTEM', comment });
    expect(textOf([approval], locale)).not.toContain(comment);
  });
});
