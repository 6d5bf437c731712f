/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { showPart } from '../../fixtures/portal-part.js';
import { DueLabel } from './due-label.js';
import { todayAt } from './next-due.js';

const ORDER = {
  xfDate: '2001-02-03',
  nextDue: { rule: 'REPLY_DUE', on: '2001-02-05', firstOn: '2001-02-03' },
} as const;

describe('the due label of an order', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['en', false, 'Reply overdue since 3 Feb 2001'],
    ['en', true, 'Reply overdue'],
    ['zh', false, '应于2001年2月3日回复，已逾期'],
    ['zh', true, '回复逾期'],
  ] as const)(
    'says in words, not only by color, that a task is overdue: %s, short: %s',
    async (language, isShort, text) => {
      showPart(<DueLabel order={ORDER} isShort={isShort} />, {}, language);
      const label = await screen.findByText(text);
      expect(label.dataset.when).toBe('late');
      expect(label.title).toContain(language === 'en' ? 'Next reminder: 5 Feb 2001' : '下次提醒：2001年2月5日');
    },
  );

  it.each([
    ['en', 'Delivery confirmation overdue since 3 Feb 2001'],
    ['zh', '应于2001年2月3日确认收货，已逾期'],
  ] as const)('names the delivery confirmation of a shipped order: %s', async (language, text) => {
    showPart(<DueLabel order={{ ...ORDER, nextDue: { ...ORDER.nextDue, rule: 'DELIVERY_DUE' } }} />, {}, language);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('says that a task is due today', async () => {
    const now = Date.parse('2027-03-01T10:00:00.000Z');
    jest.useFakeTimers({ now, advanceTimers: true });
    const today = todayAt(now);
    showPart(<DueLabel order={{ ...ORDER, nextDue: { rule: 'APPROVAL_DUE', on: today, firstOn: today } }} />, {});
    expect((await screen.findByText('Approval due today')).dataset.when).toBe('today');
  });

  it('shows the ex-factory date, not the date of its earlier reminder', async () => {
    const nextDue = { rule: 'EX_FACTORY_SOON', on: '2999-03-03', firstOn: '2999-03-03' } as const;
    const order = { xfDate: '2999-03-10', nextDue };
    showPart(<DueLabel order={order} />, {});
    const label = await screen.findByText('Ex-factory due on 10 Mar 2999');
    expect([label.dataset.when, label.title]).toEqual([
      'later',
      'Ex-factory due on 10 Mar 2999\nNext reminder: 3 Mar 2999',
    ]);
  });
});
