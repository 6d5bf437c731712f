import { expect, test } from '@jest/globals';
import { REMINDER_RULES } from '@po/contracts';
import { titlesOf } from './reminder-titles.js';

const facts = { poNumber: 'PO-1', firstOn: '2026-03-03', xfDate: '2026-03-10', dueOn: '2026-03-05' };

test('each rule has a title in English and in Chinese', () => {
  expect(REMINDER_RULES.map((rule) => Object.values(titlesOf(rule, facts)))).toEqual([
    ['PO-1: reply due since 3 March', 'PO-1：自3月3日起待回复'],
    ['PO-1: approval due since 3 March', 'PO-1：自3月3日起待审批'],
    ['PO-1: ex-factory date 10 March', 'PO-1：离厂日期为3月10日'],
    ['PO-1: ex-factory date 10 March has passed', 'PO-1：已超过离厂日期3月10日'],
    ['PO-1: delivery to be confirmed since 3 March', 'PO-1：自3月3日起待确认收货'],
  ]);
});

test('a date in another year than the reminder is shown with its year', () => {
  expect(titlesOf('EX_FACTORY_OVERDUE', { ...facts, xfDate: '2025-12-31' })).toEqual({
    title: 'PO-1: ex-factory date 31 December 2025 has passed',
    titleZh: 'PO-1：已超过离厂日期2025年12月31日',
  });
});
