/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { showPart } from '../../fixtures/portal-part.js';
import { DueLabel } from './due-label.js';

const ORDER = {
  xfDate: '2001-02-03',
  nextDue: { rule: 'REPLY_DUE', on: '2001-02-05', firstOn: '2001-02-03' },
} as const;

describe('the due label of an order', () => {
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
      expect(label.dataset.when).toBe('overdue');
      expect(label.title).toContain(language === 'en' ? 'Next reminder: 5 Feb 2001' : '下次提醒：2001年2月5日');
    },
  );
});
