import { expect, it } from '@jest/globals';
import { daysAfter, environmentOf } from './days.js';

const NOW = new Date('2026-11-23T05:11:20.992Z');
const shown = (now: Date) => daysAfter(now).map(({ name, at, timeZone }) => [name, at.toISOString(), timeZone]);

it('daysAfter returns eight days after today, each with its time and time zone', () => {
  expect(shown(NOW)).toEqual([
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
});

it.each(['2028-02-29T23:59:59Z', '2026-12-31T23:30:00Z', '2027-03-14T06:59:30Z', '2026-11-29T00:00:00Z'])(
  'daysAfter returns only later days at %s, which is one of the days itself',
  (text) => {
    const now = new Date(text);
    const today = text.slice(0, 10);
    const days = daysAfter(now);
    expect(days.filter(({ at }) => at <= now || at.toISOString().startsWith(today)).map(({ name }) => name)).toEqual(
      [],
    );
    expect(days).toHaveLength(8);
  },
);

it('daysAfter finds the daylight saving changes of any year', () => {
  expect(shown(new Date('2029-06-01T00:00:00Z')).slice(-2)).toEqual([
    ['clocks go forward', '2030-03-10T06:59:00.000Z', 'America/New_York'],
    ['clocks go back', '2032-10-31T00:30:00.000Z', 'Europe/Berlin'],
  ]);
});

it('environmentOf shifts the clock by the seconds until the day', () => {
  const [tomorrow] = daysAfter(NOW);
  expect(tomorrow && environmentOf(tomorrow, NOW, '/tools')).toEqual({
    PATH: `/tools:${process.env.PATH}`,
    LD_PRELOAD: '/tools/datefudge',
    DATEFUDGE: `-${24 * 3_600 + 6 * 3_600 + 48 * 60 + 39}`,
    TZ: 'UTC',
  });
});
