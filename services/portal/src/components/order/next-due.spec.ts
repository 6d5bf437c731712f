import { describe, expect, it } from '@jest/globals';
import type { ReminderRule } from '../../api/schemas.js';
import { dueRulesOf, dueStateOf, todayAt } from './next-due.js';

const TODAY = '2027-03-03';

describe('the next due task of an order', () => {
  it.each([
    ['REPLY_DUE', '2027-03-04', 'reply', '2027-03-04', 'later'],
    ['REPLY_DUE', TODAY, 'reply', TODAY, 'today'],
    ['APPROVAL_DUE', '2027-03-02', 'approval', '2027-03-02', 'overdue'],
    ['DELIVERY_DUE', '2027-12-31', 'delivery', '2027-12-31', 'later'],
    ['EX_FACTORY_SOON', '2027-02-26', 'exFactory', '2027-03-05', 'later'],
    ['EX_FACTORY_OVERDUE', '2027-03-06', 'exFactory', '2027-03-05', 'later'],
  ] as const)('for rule %s with a reminder on %s is %s by %s: %s', (rule, on, task, by, when) => {
    const state = dueStateOf({ nextDue: { rule, on, firstOn: on }, xfDate: '2027-03-05' }, TODAY);
    expect(state).toEqual({ task, by, when, reminderOn: on });
  });

  it('is overdue after the ex-factory date, regardless of the next reminder', () => {
    const nextDue = { rule: 'EX_FACTORY_OVERDUE', on: '2027-03-09', firstOn: '2027-03-02' } as const;
    expect(dueStateOf({ nextDue, xfDate: '2027-03-01' }, TODAY)).toMatchObject({ by: '2027-03-01', when: 'overdue' });
  });

  it('is overdue after the first reminder, regardless of the next one', () => {
    const nextDue = { rule: 'REPLY_DUE', on: '2027-03-04', firstOn: '2027-03-02' } as const;
    const state = { task: 'reply', by: '2027-03-02', when: 'overdue', reminderOn: '2027-03-04' };
    expect(dueStateOf({ nextDue, xfDate: '2027-09-01' }, TODAY)).toEqual(state);
  });

  it.each([null, { rule: 'NEWER' as ReminderRule, on: TODAY, firstOn: TODAY }])(
    'is null for the API value %j',
    (nextDue) => {
      expect(dueStateOf({ xfDate: TODAY, nextDue }, TODAY)).toBeNull();
    },
  );

  it("depends on the rules of the user's side", () => {
    expect(dueRulesOf('VENDOR')).toEqual(['REPLY_DUE', 'EX_FACTORY_SOON', 'EX_FACTORY_OVERDUE']);
    for (const role of ['BUYER', 'ADMIN', 'VIEWER', undefined]) {
      expect(dueRulesOf(role)).toEqual(['APPROVAL_DUE', 'EX_FACTORY_OVERDUE', 'DELIVERY_DUE']);
    }
  });
});

describe('todayAt', () => {
  it.each(['00:00:00.000', '23:59:59.999'])(
    'returns the UTC day, as the API does, in every time zone of the user: %s',
    (time) => {
      expect(todayAt(Date.parse(`2027-03-01T${time}Z`))).toBe('2027-03-01');
    },
  );
});
