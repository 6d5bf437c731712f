import { describe, expect, it } from '@jest/globals';
import { clockOf, digestDue, nextTimeOfDay } from './zoned-time.js';

describe('the next time of a digest', () => {
  it.each([
    [
      'today in a zone without clock changes',
      '08:00',
      'Asia/Shanghai',
      '2026-03-08T23:59:59.999Z',
      '2026-03-09T00:00:00.000Z',
    ],
    [
      'tomorrow if it is exactly that time now',
      '08:00',
      'Asia/Shanghai',
      '2026-03-09T00:00:00.000Z',
      '2026-03-10T00:00:00.000Z',
    ],
    [
      'at the local time on the day when clocks go forward',
      '08:00',
      'America/New_York',
      '2026-03-07T13:00:00.000Z',
      '2026-03-08T12:00:00.000Z',
    ],
    [
      'an hour later by the clock if clocks skip the time',
      '02:30',
      'America/New_York',
      '2026-03-08T05:00:00.000Z',
      '2026-03-08T07:30:00.000Z',
    ],
    [
      'at the local time on the day when clocks go back',
      '08:00',
      'America/New_York',
      '2026-10-31T12:00:00.000Z',
      '2026-11-01T13:00:00.000Z',
    ],
    [
      'the first of two occurrences if clocks repeat the time',
      '01:30',
      'America/New_York',
      '2026-11-01T04:00:00.000Z',
      '2026-11-01T05:30:00.000Z',
    ],
    [
      'the next day after the first of two occurrences',
      '01:30',
      'America/New_York',
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ],
    [
      'midnight in a zone with a 45-minute offset',
      '00:00',
      'Asia/Kathmandu',
      '2026-12-31T12:00:00.000Z',
      '2026-12-31T18:15:00.000Z',
    ],
    [
      'an hour later by the clock if clocks skip midnight',
      '00:00',
      'America/Santiago',
      '2026-09-05T12:00:00.000Z',
      '2026-09-06T04:00:00.000Z',
    ],
  ])('is %s', (_when, timeOfDay, timeZone, from, next) => {
    expect(nextTimeOfDay(timeOfDay, timeZone, new Date(from)).toISOString()).toBe(next);
  });

  it('uses one clock per zone, whatever the letter case of its name', () => {
    expect(clockOf('aSIA/shangHAI')).toBe(clockOf('Asia/Shanghai'));
  });
});

describe('a daily summary', () => {
  const due = (now: string) => digestDue('08:00', 'Asia/Shanghai', new Date(now)).toISOString();

  it('includes the reminders created at its time of day, and is sent within that minute', () => {
    expect(due('2026-12-04T00:00:01.500Z')).toBe('2026-12-04T00:00:30.000Z');
    expect(due('2026-12-03T23:59:59.999Z')).toBe('2026-12-04T00:00:30.000Z');
  });

  it('is the next one for what comes later', () => {
    expect(due('2026-12-04T00:00:30.000Z')).toBe('2026-12-05T00:00:30.000Z');
  });
});
