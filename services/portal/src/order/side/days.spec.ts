import { describe, expect, it } from '@jest/globals';
import { daysFrom, todayAt } from './days.js';

describe('days', () => {
  it.each([
    ['2027-03-01', '2027-03-01', 0],
    ['2027-02-27', '2027-03-02', 3],
    ['2028-02-28', '2028-03-01', 2],
    ['2027-03-27', '2027-03-29', 2],
    ['2027-03-02', '2027-02-27', -3],
  ])('from %s to %s are %d', (one, other, days) => {
    expect(daysFrom(one, other)).toBe(days);
  });

  it('of today are those of the API', () => {
    expect(todayAt(Date.parse('2027-03-01T23:59:59.999Z'))).toBe('2027-03-01');
  });
});
