import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weekOf, weeksFrom } from './weeks.js';

describe('the calendar of weeks', () => {
  test.each([
    ['2026-06-15', '2026-06-15'],
    ['2026-06-16', '2026-06-15'],
    ['2026-06-21', '2026-06-15'],
    ['2026-06-22', '2026-06-22'],
    ['2027-01-03', '2026-12-28'],
    ['2028-03-01', '2028-02-28'],
  ])('has %s in the week that begins on %s', (date, monday) => {
    expect(weekOf(date)).toBe(monday);
  });

  test('has twelve consecutive weeks across a daylight saving change and the end of a year', () => {
    expect(weeksFrom('2026-10-19')).toEqual([
      '2026-10-19',
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
      '2026-12-07',
      '2026-12-14',
      '2026-12-21',
      '2026-12-28',
      '2027-01-04',
    ]);
  });

  test('has every date within seven days of the Monday of its week', () => {
    const days = fc.date({ min: new Date('1900-01-08'), max: new Date('9999-12-20'), noInvalidDate: true });
    fc.assert(
      fc.property(days, (day) => {
        const date = day.toISOString().slice(0, 10);
        const since = Date.parse(date) - Date.parse(weekOf(date));
        expect(since / 86_400_000).toBeGreaterThanOrEqual(0);
        expect(since / 86_400_000).toBeLessThan(7);
        expect(new Date(weekOf(date)).getUTCDay()).toBe(1);
      }),
    );
  });
});
