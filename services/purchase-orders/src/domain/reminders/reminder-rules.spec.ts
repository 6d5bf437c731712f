import { describe, expect, test } from '@jest/globals';
import { REMINDER_RULES, STATUS_IDS, type StatusId } from '@po/contracts';
import { sideOf } from '../side.js';
import { RULES, addresses, parseRepetition } from './reminder-rules.js';

// The contract's table, written by hand.
test.each([
  ['REPLY_DUE', [100, 150], ['vendor'], { first: 3, interval: 2, count: 3 }],
  ['APPROVAL_DUE', [200], ['internal'], { first: 2, interval: 2, count: 3 }],
  ['EX_FACTORY_SOON', [300, 400], ['vendor'], { first: 7, interval: 1, count: 1 }],
  ['EX_FACTORY_OVERDUE', [100, 150, 200, 300, 400], ['vendor', 'internal'], { first: 1, interval: 7, count: 4 }],
  ['DELIVERY_DUE', [500], ['internal'], { first: 30, interval: 14, count: 2 }],
] as const)('%s applies in statuses %p to users of %p, by default as %p', (rule, statuses, sides, repetition) => {
  expect(RULES[rule]).toMatchObject({ statuses, sides });
  expect(parseRepetition(rule, RULES[rule].byDefault)).toEqual(repetition);
});

test('a status has at most one rule besides EX_FACTORY_OVERDUE', () => {
  const rulesOf = (statusId: StatusId) =>
    REMINDER_RULES.filter((rule) => rule !== 'EX_FACTORY_OVERDUE' && RULES[rule].statuses.includes(statusId));
  expect(STATUS_IDS.filter((statusId) => rulesOf(statusId).length > 1)).toEqual([]);
});

test('a vendor gets the reminders of the vendor side, every other role those of the internal side', () => {
  expect((['VENDOR', 'BUYER', 'ADMIN', 'VIEWER'] as const).map(sideOf)).toEqual([
    'vendor',
    'internal',
    'internal',
    'internal',
  ]);
  expect([addresses('REPLY_DUE', 'vendor'), addresses('REPLY_DUE', 'internal')]).toEqual([true, false]);
});

describe('the setting of a rule', () => {
  test.each([
    ['off', null],
    [' OFF ', null],
    ['0/1/1', { first: 0, interval: 1, count: 1 }],
    ['365/365/20', { first: 365, interval: 365, count: 20 }],
  ])('can be %p', (text, repetition) => {
    expect(parseRepetition('REPLY_DUE', text)).toEqual(repetition);
  });

  test.each([
    '',
    '3',
    '3/2',
    '3/0/3',
    '3/2/0',
    '3/2/21',
    '366/2/3',
    '3/366/3',
    '-1/2/3',
    '3/2/3/4',
    '3 /2/3',
    'on',
    '1.5/2/3',
  ])('cannot be %p, and the error says what is allowed', (text) => {
    expect(() => parseRepetition('REPLY_DUE', text)).toThrow(
      /^must be off or first\/interval\/count, such as 3\/2\/3: first from 0 to 365 days, interval from 1 to 365 days, count from 1 to 20$/,
    );
  });

  test('allows only one step for EX_FACTORY_SOON', () => {
    expect(parseRepetition('EX_FACTORY_SOON', '14/1/1')).toEqual({ first: 14, interval: 1, count: 1 });
    expect(() => parseRepetition('EX_FACTORY_SOON', '14/7/2')).toThrow('count 1, because it comes once for each date');
  });
});
