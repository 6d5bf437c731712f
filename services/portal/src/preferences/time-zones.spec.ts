import { describe, expect, it } from '@jest/globals';
import { fitsSearch, ownTimeZone, timeIn, timeZones } from './time-zones.js';

describe('the offered time zones', () => {
  it('are those of the browser, UTC and the chosen zone, sorted and without duplicates', () => {
    const zones = timeZones('Mars/Olympus');
    for (const zone of ['UTC', 'Asia/Shanghai', 'Asia/Ho_Chi_Minh', 'Asia/Kolkata', 'Mars/Olympus', ownTimeZone()]) {
      expect(zones.filter((one) => one === zone)).toEqual([zone]);
    }
    expect(zones).toEqual(zones.toSorted());
  });

  it.each([
    ['Asia/Ho_Chi_Minh', 'ho chi', true],
    ['Asia/Ho_Chi_Minh', 'minh ASIA', true],
    ['America/Argentina/Salta', 'salta/argentina', true],
    ['Asia/Shanghai', '', true],
    ['Asia/Shanghai', 'europe', false],
  ])('can be searched: %s by "%s": %s', (zone, search, is) => {
    expect(fitsSearch(zone, search)).toBe(is);
  });

  it('have a current time and UTC offset, except for a zone unknown to the browser', () => {
    const now = Date.parse('2027-03-03T04:05:00Z');
    expect(timeIn('Asia/Shanghai', 'en-GB', now)).toBe('12:05 GMT+8');
    expect(timeIn('Mars/Olympus', 'en-GB', now)).toBeNull();
  });
});
