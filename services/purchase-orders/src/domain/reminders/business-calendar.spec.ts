import { describe, expect, test } from '@jest/globals';
import { BusinessCalendar } from './business-calendar.js';

const calendarIn = (timeZone: string, { remindAt = '08:00', holidays = [] as string[] } = {}) =>
  new BusinessCalendar({ timeZone, remindAt, holidays: new Set(holidays) });

describe('the reminder time', () => {
  test.each([
    ['UTC', '08:00', '2026-03-08', '2026-03-08T08:00:00.000Z'],
    ['Asia/Shanghai', '08:00', '2026-03-08', '2026-03-08T00:00:00.000Z'],
    ['Asia/Kolkata', '08:00', '2026-03-08', '2026-03-08T02:30:00.000Z'],
    // Clocks go forward on 8 March and back on 1 November.
    ['America/New_York', '08:00', '2026-03-07', '2026-03-07T13:00:00.000Z'],
    ['America/New_York', '08:00', '2026-03-08', '2026-03-08T12:00:00.000Z'],
    ['America/New_York', '08:00', '2026-11-01', '2026-11-01T13:00:00.000Z'],
    ['Pacific/Auckland', '08:00', '2026-04-05', '2026-04-04T20:00:00.000Z'],
    // A skipped time uses the offset before the gap. A repeated time means the first occurrence.
    ['America/New_York', '02:30', '2026-03-08', '2026-03-08T07:30:00.000Z'],
    ['America/New_York', '01:30', '2026-11-01', '2026-11-01T05:30:00.000Z'],
    ['America/Sao_Paulo', '00:00', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  ])('in %s at %s on %s is %s', (timeZone, remindAt, date, instant) => {
    const calendar = calendarIn(timeZone, { remindAt });
    expect(calendar.remindingOn(date).toISOString()).toBe(instant);
    expect(calendar.remindingOn(date).toISOString()).toBe(instant);
  });
});

test('the date of an instant depends on the time zone', () => {
  const instant = new Date('2026-03-08T16:30:00Z');
  expect(calendarIn('Asia/Shanghai').dateOf(instant)).toBe('2026-03-09');
  expect(calendarIn('UTC').dateOf(instant)).toBe('2026-03-08');
  expect(calendarIn('America/New_York').dateOf(new Date('2026-03-08T03:59:59Z'))).toBe('2026-03-07');
});

test.each([
  ['before the reminder time is the same day', '2026-03-08T07:59:59.999Z', '2026-03-08'],
  ['at the reminder time is the same day', '2026-03-08T08:00:00.000Z', '2026-03-08'],
  ['after the reminder time is the next day', '2026-03-08T08:00:00.001Z', '2026-03-09'],
])('the next reminder date %s', (_when, from, date) => {
  expect(calendarIn('UTC').nextRemindingDate(new Date(from))).toBe(date);
});

test('weekends and holidays are not working days', () => {
  const calendar = calendarIn('UTC', { holidays: ['2026-05-01', '2026-05-04'] });
  // 30 April 2026 is a Thursday.
  expect([1, 2, 3].map((days) => calendar.addWorkingDays('2026-04-30', days))).toEqual([
    '2026-05-05',
    '2026-05-06',
    '2026-05-07',
  ]);
  expect(calendar.addWorkingDays('2026-05-02', 0)).toBe('2026-05-02');
  expect(['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-05'].map((date) => calendar.isWorkingDay(date))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
