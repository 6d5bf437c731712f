/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showPart } from '../fixtures/portal-part.js';
import { DueLabel } from './due-label.js';
import { todayAt } from './next-due.js';

const ORDER = { xfDate: '2001-02-03', nextDue: { rule: 'EX_FACTORY_OVERDUE', on: '2001-02-04' } } as const;

describe('what an order waits for, as its page and its row say it', () => {
  afterEach(cleanup);

  it.each([
    ['en', false, 'Ex-factory overdue since 3 Feb 2001'],
    ['en', true, 'Ex-factory overdue'],
    ['zh', false, '离厂逾期，应于2001年2月3日'],
    ['zh', true, '离厂逾期'],
  ] as const)('is late in words, not by its colour alone: %s, short: %s', async (language, isShort, text) => {
    showPart(<DueLabel order={ORDER} isShort={isShort} />, {}, language);
    const label = await screen.findByText(text);
    expect(label.dataset.when).toBe('late');
    expect(label.title).toContain(language === 'en' ? 'Next reminder: 4 Feb 2001' : '下次提醒：2001年2月4日');
  });

  it('is due today', async () => {
    showPart(<DueLabel order={{ ...ORDER, xfDate: todayAt(Date.now()) }} />, {});
    expect((await screen.findByText('Ex-factory due today')).dataset.when).toBe('today');
  });

  it.each([
    ['REPLY_DUE', 'en', 'Reply: next reminder on 12 Jan 2001', 'Reminder 12 Jan 2001'],
    ['APPROVAL_DUE', 'en', 'Approval: next reminder on 12 Jan 2001', 'Reminder 12 Jan 2001'],
    ['DELIVERY_DUE', 'en', 'Delivery: next reminder on 12 Jan 2001', 'Reminder 12 Jan 2001'],
    ['REPLY_DUE', 'zh', '回复：下次提醒 2001年1月12日', '提醒 2001年1月12日'],
  ] as const)(
    'has no deadline where only the next reminder is known: %s in %s',
    async (rule, language, text, short) => {
      const order = { ...ORDER, nextDue: { rule, on: '2001-01-12' } };
      showPart(<DueLabel order={order} />, {}, language);
      expect((await screen.findByText(text)).dataset.when).toBe('later');
      cleanup();
      showPart(<DueLabel order={order} isShort />, {}, language);
      expect((await screen.findByText(short)).title).toBe(text);
    },
  );

  it('names the ex-factory date, not the reminder before it', async () => {
    const order = { xfDate: '2999-03-10', nextDue: { rule: 'EX_FACTORY_SOON', on: '2999-03-03' } } as const;
    showPart(<DueLabel order={order} />, {});
    const label = await screen.findByText('Ex-factory due on 10 Mar 2999');
    expect([label.dataset.when, label.title]).toEqual([
      'later',
      'Ex-factory due on 10 Mar 2999\nNext reminder: 3 Mar 2999',
    ]);
  });

  it('is nothing where nothing is due', async () => {
    showPart(
      <p>
        Due: <DueLabel order={{ ...ORDER, nextDue: null }} />
      </p>,
      {},
    );
    expect((await screen.findByText(/^Due:/)).textContent).toBe('Due: ');
  });
});
