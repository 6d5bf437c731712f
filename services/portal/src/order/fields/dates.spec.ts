import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FORMATS } from '../../language/formats.js';
import { daysFrom, readDate } from './dates.js';

const dates = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('a typed date', () => {
  it('is read in the formats that the portal shows in both languages', () => {
    fc.assert(
      fc.property(dates, (date) => {
        for (const text of [date, FORMATS.en.date(date), FORMATS.zh.date(date)]) expect(readDate(text)).toBe(date);
      }),
    );
  });

  it.each([
    [' 2027/3/5 ', '2027-03-05'],
    ['2027.03.05', '2027-03-05'],
    ['２０２７年３月５日', '2027-03-05'],
    ['２０２７．３．５', '2027-03-05'],
    ['5 september 2027', '2027-09-05'],
    ['2027-02-29', null],
    ['2027-13-01', null],
    ['0050-01-01', null],
    ['31 Feb 2027', null],
    ['5 Foo 2027', null],
    ['03/05/2027', null],
    ['', null],
  ])('%j is read as %s', (text, date) => {
    expect(readDate(text)).toBe(date);
  });
});

describe('the number of days', () => {
  it.each([
    ['2027-03-01', '2027-03-01', 0],
    ['2027-02-27', '2027-03-02', 3],
    ['2028-02-28', '2028-03-01', 2],
    ['2027-03-27', '2027-03-29', 2],
    ['2027-03-02', '2027-02-27', -3],
  ])('from %s to %s is %d', (one, other, days) => {
    expect(daysFrom(one, other)).toBe(days);
  });
});
