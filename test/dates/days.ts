import { join } from 'node:path';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SUNDAY = 0;
const DECEMBER = 11;

/** Where clocks change twice a year. */
const NEW_YORK = 'America/New_York';

/** A day on which the tests run: when their clocks start, and where. */
export interface Day {
  name: string;
  at: Date;
  timeZone: string;
}

/** The eight days after today on which something has broken before, here or elsewhere. */
export function daysAfter(now: Date): readonly Day[] {
  const noon = (days: number) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + days * DAY_MS + 12 * HOUR_MS);
  const first = (isIt: (noon: Date) => boolean): Date => {
    for (let days = 1; ; days += 1) if (isIt(noon(days))) return noon(days);
  };
  const before = (at: Date, ms: number) => new Date(at.getTime() - ms);
  return [
    { name: 'tomorrow', at: noon(1), timeZone: 'UTC' },
    // The day after in Auckland.
    { name: 'in 40 days', at: noon(40), timeZone: 'Pacific/Auckland' },
    { name: 'in 200 days', at: noon(200), timeZone: 'UTC' },
    { name: 'a Sunday', at: first((at) => at.getUTCDay() === SUNDAY), timeZone: 'UTC' },
    // The day before in Los Angeles: 19:00.
    {
      name: '29 February',
      at: before(
        first((at) => at.getUTCMonth() === 1 && at.getUTCDate() === 29),
        9 * HOUR_MS,
      ),
      timeZone: 'America/Los_Angeles',
    },
    // The new year in Shanghai: 01:00.
    {
      name: '31 December',
      at: before(
        first((at) => at.getUTCMonth() === DECEMBER && at.getUTCDate() === 31),
        -5 * HOUR_MS,
      ),
      timeZone: 'Asia/Shanghai',
    },
    // At 02:00 it is 03:00.
    { name: 'clocks go forward', at: before(nextChange(now, NEW_YORK, 1), MINUTE_MS), timeZone: NEW_YORK },
    // At 02:00 it is 01:00 again.
    { name: 'clocks go back', at: before(nextChange(now, NEW_YORK, -1), 30 * MINUTE_MS), timeZone: NEW_YORK },
  ];
}

/**
 * What makes a process, and all that it starts, live on that day. The library adds the seconds to the time of day: processes agree on the
 * time, whenever each started. The monotonic clock, by which timers and deadlines run, stays as it is, and so do the times of files.
 */
export const environmentOf = ({ at, timeZone }: Day, now: Date, tools: string): Record<string, string> => ({
  PATH: `${tools}:${process.env.PATH}`,
  LD_PRELOAD: join(tools, 'datefudge'),
  // What is subtracted.
  DATEFUDGE: String(Math.round((now.getTime() - at.getTime()) / SECOND_MS)),
  TZ: timeZone,
});

/** When clocks of a time zone are next put forward (1) or back (-1). */
function nextChange(now: Date, timeZone: string, direction: 1 | -1): Date {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (at: number): number => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d+):(\d+))?$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  const isChange = (at: number, step: number) => Math.sign(offsetAt(at + step) - offsetAt(at)) === direction;
  let at = Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS;
  while (!isChange(at, DAY_MS)) at += DAY_MS;
  while (!isChange(at, HOUR_MS)) at += HOUR_MS;
  return new Date(at + HOUR_MS);
}
