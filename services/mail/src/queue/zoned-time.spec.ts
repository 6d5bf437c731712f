import { describe, expect, it } from '@jest/globals';
import { clockOf, nextTimeOfDay } from './zoned-time.js';

describe('the next time of a digest', () => {
  it.each([
    [
      'later today, where clocks never change',
      '08:00',
      'Asia/Shanghai',
      '2026-03-08T23:59:59.999Z',
      '2026-03-09T00:00:00.000Z',
    ],
    [
      'tomorrow, when it is that time now',
      '08:00',
      'Asia/Shanghai',
      '2026-03-09T00:00:00.000Z',
      '2026-03-10T00:00:00.000Z',
    ],
    [
      'the day clocks are set forward',
      '08:00',
      'America/New_York',
      '2026-03-07T13:00:00.000Z',
      '2026-03-08T12:00:00.000Z',
    ],
    [
      'a time that is skipped, an hour later by the clock',
      '02:30',
      'America/New_York',
      '2026-03-08T05:00:00.000Z',
      '2026-03-08T07:30:00.000Z',
    ],
    [
      'the day clocks are set back',
      '08:00',
      'America/New_York',
      '2026-10-31T12:00:00.000Z',
      '2026-11-01T13:00:00.000Z',
    ],
    [
      'a time that comes twice, the first time',
      '01:30',
      'America/New_York',
      '2026-11-01T04:00:00.000Z',
      '2026-11-01T05:30:00.000Z',
    ],
    [
      'not a second time on the day it comes twice',
      '01:30',
      'America/New_York',
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ],
    ['midnight', '00:00', 'Asia/Kathmandu', '2026-12-31T12:00:00.000Z', '2026-12-31T18:15:00.000Z'],
    [
      'in a zone whose day is skipped on a change at midnight',
      '00:00',
      'America/Santiago',
      '2026-09-05T12:00:00.000Z',
      '2026-09-06T04:00:00.000Z',
    ],
  ])('is %s', (_when, timeOfDay, timeZone, from, next) => {
    expect(nextTimeOfDay(timeOfDay, timeZone, new Date(from)).toISOString()).toBe(next);
  });

  it('is told by one clock of each zone, however its name is written', () => {
    expect(clockOf('aSIA/shangHAI')).toBe(clockOf('Asia/Shanghai'));
  });
});
