import { join } from 'node:path';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** A day on which tests run: the start of their clocks and the time zone. */
export interface Day {
  name: string;
  at: Date;
  timeZone: string;
}

/** Eight days after today, of kinds that have broken software before, here or elsewhere. */
export function daysAfter(now: Date): readonly Day[] {
  const after = (days: number, time: string) =>
    new Date(`${new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)}T${time}Z`);
  /** The next day whose date in UTC matches, such as "Sun, 31 Oct 2027". */
  const next = (date: RegExp, time: string): Date => {
    for (let days = 1; ; days += 1) if (date.test(after(days, time).toUTCString())) return after(days, time);
  };
  return [
    { name: 'tomorrow', at: after(1, '12:00'), timeZone: 'UTC' },
    // Already the next day in Auckland.
    { name: 'in 40 days', at: after(40, '12:00'), timeZone: 'Pacific/Auckland' },
    { name: 'in 200 days', at: after(200, '12:00'), timeZone: 'UTC' },
    { name: 'a Sunday', at: next(/^Sun/, '12:00'), timeZone: 'UTC' },
    // Still the day before in Los Angeles, at 19:00.
    { name: '29 February', at: next(/29 Feb/, '03:00'), timeZone: 'America/Los_Angeles' },
    // Already the new year in Shanghai, at 01:00.
    { name: '31 December', at: next(/31 Dec/, '17:00'), timeZone: 'Asia/Shanghai' },
    // At 02:00 on the second Sunday in March, clocks go forward to 03:00.
    { name: 'clocks go forward', at: next(/^Sun, (08|09|1[0-4]) Mar/, '06:59'), timeZone: 'America/New_York' },
    // At 03:00 on the last Sunday in October, clocks go back to 02:00. In some years, that is the last day of the month.
    { name: 'clocks go back', at: next(/^Sun, 31 Oct/, '00:30'), timeZone: 'Europe/Berlin' },
  ];
}

/**
 * Environment in which a process and its children live on that day. The library adds an offset to the time of day, so processes agree on
 * the time whenever they started. The monotonic clock of timers and deadlines is not shifted, nor are file times.
 */
export const environmentOf = ({ at, timeZone }: Day, now: Date, tools: string): Record<string, string> => ({
  PATH: `${tools}:${process.env.PATH}`,
  LD_PRELOAD: join(tools, 'datefudge'),
  // Seconds that the library subtracts.
  DATEFUDGE: String(Math.round((now.getTime() - at.getTime()) / SECOND_MS)),
  TZ: timeZone,
});
