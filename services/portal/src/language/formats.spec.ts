import { describe, expect, it } from '@jest/globals';
import { FORMATS } from './formats.js';

describe('formats', () => {
  it.each([
    ['en', '15 Mar 2027', '1,234,567', '1,234.50', '12.50', '12.1234', '3, 5, 7'],
    ['zh', '2027年3月15日', '1,234,567', '1,234.50', '12.50', '12.1234', '3、5、7'],
  ] as const)('write dates, numbers and lists in %s', (language, date, quantity, amount, price, exact, list) => {
    const formats = FORMATS[language];
    expect(formats.date('2027-03-15')).toBe(date);
    expect(formats.list(['3', '5', '7'])).toBe(list);
    expect(formats.quantity(1_234_567)).toBe(quantity);
    expect(formats.amount(1234.5)).toBe(amount);
    expect([formats.price(12.5), formats.price(12.1234)]).toEqual([price, exact]);
  });

  it('write a week as its first and last day', () => {
    const { dayMonth, week } = FORMATS.en;
    expect([dayMonth('2027-03-01'), week('2026-12-28')]).toEqual(['1 Mar', '28 Dec 2026 – 3 Jan 2027']);
    const { zh } = FORMATS;
    expect([zh.dayMonth('2027-03-01'), zh.week('2027-03-01')]).toEqual(['3月1日', '2027年3月1日 – 2027年3月7日']);
  });

  it('write a recent time relative to now, and an older one as date and time', () => {
    const now = Date.parse('2027-03-15T12:00:00Z');
    const { since } = FORMATS.en;
    expect(since('2027-03-15T11:59:30Z', now)).toBe('30 seconds ago');
    expect(since('2027-03-15T11:55:00Z', now)).toBe('5 minutes ago');
    expect(since('2027-03-15T09:00:00Z', now)).toBe('3 hours ago');
    expect(since('2027-03-14T12:00:00Z', now)).toBe('yesterday');
    expect(since(new Date(2027, 0, 14, 12).toISOString(), now)).toBe('14 Jan 2027, 12:00');
    expect(FORMATS.zh.since('2027-03-15T11:55:00Z', now)).toBe('5分钟前');
  });

  it.each([
    ['Monday 1 Mar 2027 21:00', 'Wednesday 3 Mar 2027 08:00', '2 days ago'],
    ['Friday 5 Mar 2027 10:00', 'Saturday 6 Mar 2027 23:00', 'yesterday'],
    ['1 Mar 2027 08:00:01', '1 Mar 2027 09:00', '59 minutes ago'],
    ['1 Mar 2027 08:00:01', '2 Mar 2027 08:00', '23 hours ago'],
  ])('count calendar days and only completed hours and minutes: %s at %s', (then, now, words) => {
    expect(FORMATS.en.since(new Date(then).toISOString(), Date.parse(now))).toBe(words);
  });

  it('write numbers of days, and today and yesterday in words', () => {
    const { days, day } = FORMATS.en;
    expect([days(1), days(12), days(5, true), days(-5, true), days(0, true)]).toEqual([
      '1 day',
      '12 days',
      '+5 days',
      '-5 days',
      '0 days',
    ]);
    expect([FORMATS.zh.days(12), FORMATS.zh.days(5, true)]).toEqual(['12天', '+5天']);
    const at = (year: number, month: number, date: number, hour: number) => new Date(year, month - 1, date, hour);
    const now = at(2027, 3, 15, 1).getTime();
    expect(day(at(2027, 3, 15, 0).toISOString(), now)).toBe('today');
    expect(day(at(2027, 3, 14, 23).toISOString(), now)).toBe('yesterday');
    expect(day(at(2027, 3, 13, 23).toISOString(), now)).toMatch(/^Saturday,? 13 March 2027$/);
    expect(FORMATS.zh.day(at(2027, 3, 15, 0).toISOString(), now)).toBe('今天');
  });
});
