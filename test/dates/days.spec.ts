import { expect, it } from '@jest/globals';
import { daysAfter } from './days.js';

// Tests pass on a wrong day too, so no run on it would show the error.
it('daysAfter returns eight days after today, each with its time and time zone', () => {
  const days = daysAfter(new Date('2026-11-23T05:11:20.992Z'));
  expect(days.map(({ name, at, timeZone }) => [name, at.toISOString(), timeZone])).toEqual([
    ['tomorrow', '2026-11-24T12:00:00.000Z', 'UTC'],
    ['in 40 days', '2027-01-02T12:00:00.000Z', 'Pacific/Auckland'],
    ['in 200 days', '2027-06-11T12:00:00.000Z', 'UTC'],
    ['a Sunday', '2026-11-29T12:00:00.000Z', 'UTC'],
    ['29 February', '2028-02-29T03:00:00.000Z', 'America/Los_Angeles'],
    ['31 December', '2026-12-31T17:00:00.000Z', 'Asia/Shanghai'],
    // 01:59 EST in New York and 02:30 CEST in Berlin.
    ['clocks go forward', '2027-03-14T06:59:00.000Z', 'America/New_York'],
    ['clocks go back', '2027-10-31T00:30:00.000Z', 'Europe/Berlin'],
  ]);
  for (const { at, timeZone } of days.slice(-2)) {
    const clock = Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    const [before, after] = [at.getTime(), at.getTime() + 60 * 60 * 1_000].map((time) => clock.format(time));
    expect(before?.split('GMT')[1]).not.toBe(after?.split('GMT')[1]);
  }
});
