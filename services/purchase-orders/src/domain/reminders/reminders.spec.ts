import { describe, expect, test } from '@jest/globals';
import type { ReminderRule, StatusId } from '@po/contracts';
import { reminderSettings } from '../../fixtures/reminders.js';
import {
  type OrderReminders,
  initialReminders,
  updateReminders,
  nextDueFor,
  recomputeReminders,
  dueSteps,
} from './reminders.js';

const settings = reminderSettings({ holidays: ['2026-03-06'] });
const at = (instant: string) => new Date(`${instant}Z`);
// Monday 2 March 2026.
const MONDAY = at('2026-03-02T10:00:00');
const FAR = '2026-12-01';

const begin = (statusId: StatusId, xfDate = FAR, now = MONDAY) => initialReminders({ statusId, xfDate }, now, settings);

/** All reminders of an unchanged order, created at each reminder time. */
function reminded(reminders: OrderReminders, rule: ReminderRule): string[] {
  const days: string[] = [];
  let left = reminders;
  for (let next = nextOf(left); next; next = nextOf(left)) {
    const { due, after } = dueSteps(left, next, settings);
    days.push(...due.filter((step) => step.rule === rule).map(({ dueOn, step }) => `${step} ${dueOn}`));
    left = after;
  }
  return days;
}

function nextOf({ waiting, overdue }: OrderReminders): Date | null {
  const times = [waiting?.nextDueAt, overdue?.nextDueAt].flatMap((time) => time ?? []);
  return times.toSorted((a, b) => Number(a) - Number(b))[0] ?? null;
}

test.each(['9999-12-31', '9999-12-30', '9999-12-20'])(
  'an order with the ex-factory date %s is not overdue',
  (xfDate) => {
    expect(begin(400, xfDate).overdue?.nextDueAt?.getUTCFullYear()).toBe(9999);
  },
);

describe('an unchanged order', () => {
  test.each<[ReminderRule, OrderReminders, string[]]>([
    // Friday is a holiday.
    ['REPLY_DUE', begin(100), ['1 2026-03-05', '2 2026-03-10', '3 2026-03-12']],
    ['REPLY_DUE', begin(150), ['1 2026-03-05', '2 2026-03-10', '3 2026-03-12']],
    ['REPLY_DUE', begin(100, FAR, at('2026-03-07T12:00:00')), ['1 2026-03-11', '2 2026-03-13', '3 2026-03-17']],
    ['APPROVAL_DUE', begin(200), ['1 2026-03-04', '2 2026-03-09', '3 2026-03-11']],
    ['EX_FACTORY_SOON', begin(300, '2026-03-20'), ['1 2026-03-13']],
    ['EX_FACTORY_SOON', begin(400, '2026-03-09'), ['1 2026-03-03']],
    ['EX_FACTORY_OVERDUE', begin(400, '2026-03-03'), ['1 2026-03-04', '2 2026-03-11', '3 2026-03-18', '4 2026-03-25']],
    ['EX_FACTORY_OVERDUE', begin(100, '2026-01-01'), ['1 2026-03-03', '2 2026-03-10', '3 2026-03-17', '4 2026-03-24']],
    [
      'EX_FACTORY_OVERDUE',
      begin(100, '2026-03-01', at('2026-03-02T07:00:00')),
      ['1 2026-03-02', '2 2026-03-09', '3 2026-03-16', '4 2026-03-23'],
    ],
    ['DELIVERY_DUE', begin(500), ['1 2026-04-01', '2 2026-04-15']],
    ['DELIVERY_DUE', begin(600), []],
    ['EX_FACTORY_OVERDUE', begin(500, '2026-01-01'), []],
    ['EX_FACTORY_OVERDUE', begin(900, '2026-01-01'), []],
  ])('gets the reminders of %s', (rule, reminders, days) => {
    expect(reminded(reminders, rule)).toEqual(days);
  });
});

describe('the start of a rule', () => {
  const later = at('2026-03-04T10:00:00');
  const follow = (before: OrderReminders, statusId: StatusId, xfDate = before.xfDate) =>
    updateReminders(before, { statusId, xfDate }, later, settings);

  test.each<[string, OrderReminders, Date]>([
    ['moves when the order enters another status', follow(begin(200), 150), later],
    ['stays when the status stays', follow(begin(150), 150, '2026-11-01'), MONDAY],
    ['stays for EX_FACTORY_SOON when production begins', follow(begin(300), 400), MONDAY],
    ['moves for EX_FACTORY_SOON with another date', follow(begin(300), 400, '2026-11-01'), later],
    ['moves for EX_FACTORY_SOON when the order is confirmed again', follow(begin(200), 300), later],
  ])('%s', (_what, { waiting }, since) => {
    expect(waiting?.since).toEqual(since);
  });

  test('moves for EX_FACTORY_OVERDUE with another date, and with nothing else', () => {
    expect(follow(begin(100), 200).overdue?.since).toEqual(MONDAY);
    expect(follow(begin(100), 100, '2026-11-01').overdue?.since).toEqual(later);
  });

  test("is after the last created reminder, even if the replica's clock is behind", () => {
    const due = at('2026-03-09T08:00:00');
    const { after } = dueSteps(begin(300, '2026-03-16'), due, settings);
    const slow = updateReminders(after, { statusId: 300, xfDate: '2026-03-15' }, at('2026-03-09T07:59:59'), settings);
    expect(slow.waiting?.nextDueAt).toEqual(at('2026-03-10T08:00:00'));
  });
});

test('the working days of a rule count from the change, even if the order was reminded earlier that day', () => {
  const reminded = dueSteps(begin(100), at('2026-03-10T08:00:00'), settings).after;
  const submitted = { statusId: 200 as const, xfDate: FAR };
  const { waiting } = updateReminders(reminded, submitted, at('2026-03-10T09:00:00'), settings);
  expect([waiting?.since, waiting?.firstDueAt]).toEqual([at('2026-03-10T09:00:00'), at('2026-03-12T08:00:00')]);
});

test('the working days of a rule count from the change, even if an EX_FACTORY rule starts on the next day', () => {
  const follow = (before: OrderReminders, statusId: StatusId, instant: string) =>
    updateReminders(before, { statusId, xfDate: FAR }, at(instant), settings);
  const reminded = dueSteps(begin(100, FAR, at('2026-03-05T09:00:00')), at('2026-03-11T08:00:00'), settings).after;
  const submitted = follow(reminded, 200, '2026-03-11T09:00:00');
  const approved = follow(submitted, 300, '2026-03-11T10:00:00');
  expect(approved.waiting?.since).toEqual(at('2026-03-12T00:00:00'));
  const recalled = follow(approved, 150, '2026-03-11T11:00:00');
  expect([recalled.waiting?.since, recalled.waiting?.firstDueAt]).toEqual([
    at('2026-03-11T11:00:00'),
    at('2026-03-16T08:00:00'),
  ]);
  // The day of the reminder stays done.
  const confirmed = follow(follow(recalled, 200, '2026-03-11T12:00:00'), 300, '2026-03-11T13:00:00');
  expect(confirmed.waiting?.since).toEqual(at('2026-03-12T00:00:00'));
});

test('after an outage only the latest due step of each rule is created', () => {
  const { due, after } = dueSteps(begin(100, '2026-03-01'), at('2026-03-11T00:00:00'), settings);
  expect(due.map(({ rule, step, dueOn, firstOn }) => ({ rule, step, dueOn, firstOn }))).toEqual([
    { rule: 'REPLY_DUE', step: 2, dueOn: '2026-03-10', firstOn: '2026-03-05' },
    { rule: 'EX_FACTORY_OVERDUE', step: 2, dueOn: '2026-03-10', firstOn: '2026-03-03' },
  ]);
  expect(dueSteps(after, at('2026-03-11T00:00:00'), settings).due).toEqual([]);
  expect([after.waiting?.nextDueAt, after.overdue?.nextDueAt]).toEqual([
    at('2026-03-12T08:00:00'),
    at('2026-03-17T08:00:00'),
  ]);
  // The first due time stays, because the order still waits.
  expect(after.waiting?.firstDueAt).toEqual(at('2026-03-05T08:00:00'));
});

describe('under other settings,', () => {
  const now = at('2026-03-05T07:00:00');
  const under = (rules: Parameters<typeof reminderSettings>[0]) =>
    Object.assign(reminderSettings(rules), { generation: 1 });

  test('a rule that is turned off has no step', () => {
    const off = recomputeReminders(begin(100, '2026-03-01'), now, under({ rules: { REPLY_DUE: 'off' } }));
    expect(off).toMatchObject({ generation: 1, waiting: { firstDueAt: null, nextDueAt: null, since: MONDAY } });
    expect(off.overdue?.nextDueAt).toEqual(at('2026-03-03T08:00:00'));
  });

  test('a step that is past only under these settings is skipped, but not a step that was already due', () => {
    const sooner = recomputeReminders(begin(100), now, under({ rules: { REPLY_DUE: '1/4/2' } }));
    expect(sooner.waiting).toMatchObject({
      firstDueAt: at('2026-03-03T08:00:00'),
      nextDueAt: at('2026-03-09T08:00:00'),
    });
    const late = at('2026-03-05T09:00:00');
    const waits = recomputeReminders(begin(100), late, under({ rules: { REPLY_DUE: '2/2/3' } }));
    expect(dueSteps(waits, late, under({ rules: { REPLY_DUE: '2/2/3' } })).due).toMatchObject([
      { dueOn: '2026-03-04' },
    ]);
  });

  describe('another reminder time', () => {
    const EARLIER = under({ remindAt: '06:30' });
    const LATER = under({ remindAt: '10:00' });

    test('that has already passed on a due day creates the step of that day, and no earlier one', () => {
      const moved = recomputeReminders(begin(100), now, EARLIER);
      const { due, after } = dueSteps(moved, now, EARLIER);
      expect(due).toMatchObject([{ rule: 'REPLY_DUE', step: 1, dueOn: '2026-03-05' }]);
      expect(dueSteps(after, now, EARLIER).due).toEqual([]);
      const sooner = under({ remindAt: '06:30', rules: { REPLY_DUE: '1/1/9' } });
      const onlyToday = recomputeReminders(begin(100), now, sooner);
      expect(dueSteps(onlyToday, now, sooner).due).toMatchObject([{ dueOn: '2026-03-05' }]);
    });

    test('later on a day that is done creates no second step', () => {
      const done = dueSteps(begin(100), at('2026-03-05T08:00:00'), settings).after;
      const moved = recomputeReminders(done, at('2026-03-05T09:00:00'), LATER);
      expect(moved.waiting?.nextDueAt).toEqual(at('2026-03-09T10:00:00'));
    });

    test('in a time zone that is ahead creates the step of the day', () => {
      const shanghai = under({ timeZone: 'Asia/Shanghai' });
      const moved = recomputeReminders(begin(300, '2026-03-12'), now, shanghai);
      expect(dueSteps(moved, now, shanghai).due).toMatchObject([{ rule: 'EX_FACTORY_SOON', dueOn: '2026-03-05' }]);
    });
  });

  test('a change of an order with older settings computes its reminders with the new ones', () => {
    const changed = updateReminders(
      begin(100),
      { statusId: 200, xfDate: FAR },
      now,
      under({ rules: { APPROVAL_DUE: '5/1/1' } }),
    );
    expect(changed).toMatchObject({ generation: 1, waiting: { nextDueAt: at('2026-03-12T08:00:00') } });
  });
});

describe('the next reminder for a side', () => {
  const firstDueAt = at('2026-03-02T08:00:00');
  const dueTimes = (instant: string) => ({ firstDueAt, nextDueAt: at(instant) });
  const both = { waiting: dueTimes('2026-03-05T08:00:00'), overdue: dueTimes('2026-03-04T23:30:00') };
  const none = { firstDueAt, nextDueAt: null };
  const { calendar } = reminderSettings({ timeZone: 'Asia/Shanghai' });
  const next = (statusId: StatusId, progress: Partial<typeof both> = both) => {
    const columns = { statusId, waiting: none, overdue: none, ...progress };
    return [nextDueFor('vendor', columns, calendar), nextDueFor('internal', columns, calendar)];
  };
  const due = (rule: ReminderRule, on = '2026-03-05') => ({ rule, on, firstOn: '2026-03-02' });

  test('is the earliest step of the rules for that side, with its business date', () => {
    const overdue = due('EX_FACTORY_OVERDUE');
    expect(next(100)).toEqual([overdue, overdue]);
    expect(next(100, { waiting: both.waiting })).toEqual([due('REPLY_DUE'), null]);
    expect(next(200, { waiting: both.waiting })).toEqual([null, due('APPROVAL_DUE')]);
    expect(next(400, { waiting: dueTimes('2026-03-01T00:00:00'), overdue: both.overdue })).toEqual([
      due('EX_FACTORY_SOON', '2026-03-01'),
      overdue,
    ]);
    expect(next(500, { waiting: both.waiting })).toEqual([null, due('DELIVERY_DUE')]);
    expect(next(300, {})).toEqual([null, null]);
  });
});
