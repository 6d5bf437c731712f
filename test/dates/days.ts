import { join } from 'node:path';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SUNDAY = 0;
const DECEMBER = 11;

/** Time zones with daylight saving time. */
const NEW_YORK = 'America/New_York';
const BERLIN = 'Europe/Berlin';

/** A day on which tests run: the start of their clocks and the time zone. */
export interface Day {
  name: string;
  at: Date;
  timeZone: string;
}

/** Eight days after today, of kinds that have broken software before, here or elsewhere. */
export function daysAfter(now: Date): readonly Day[] {
  const noon = (days: number) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + days * DAY_MS + 12 * HOUR_MS);
  const first = (isIt: (noon: Date) => boolean): Date => {
    for (let days = 1; ; days += 1) if (isIt(noon(days))) return noon(days);
  };
  const before = (at: Date, ms: number) => new Date(at.getTime() - ms);
  return [
    { name: 'tomorrow', at: noon(1), timeZone: 'UTC' },
    // Already the next day in Auckland.
    { name: 'in 40 days', at: noon(40), timeZone: 'Pacific/Auckland' },
    { name: 'in 200 days', at: noon(200), timeZone: 'UTC' },
    { name: 'a Sunday', at: first((at) => at.getUTCDay() === SUNDAY), timeZone: 'UTC' },
    // Still the day before in Los Angeles, at 19:00.
    {
      name: '29 February',
      at: before(
        first((at) => at.getUTCMonth() === 1 && at.getUTCDate() === 29),
        9 * HOUR_MS,
      ),
      timeZone: 'America/Los_Angeles',
    },
    // Already the new year in Shanghai, at 01:00.
    {
      name: '31 December',
      at: before(
        first((at) => at.getUTCMonth() === DECEMBER && at.getUTCDate() === 31),
        -5 * HOUR_MS,
      ),
      timeZone: 'Asia/Shanghai',
    },
    // At 02:00, clocks go forward to 03:00.
    { name: 'clocks go forward', at: before(nextChange(now, NEW_YORK, 1), MINUTE_MS), timeZone: NEW_YORK },
    // At 03:00, clocks go back to 02:00, on the last day of a month.
    { name: 'clocks go back', at: before(changeAtMonthEnd(now), 30 * MINUTE_MS), timeZone: BERLIN },
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

/** Next time at which the clocks in Berlin go back on 31 October. In most years, its last Sunday is earlier. */
function changeAtMonthEnd(now: Date): Date {
  let at = nextChange(now, BERLIN, -1);
  while (at.getUTCDate() !== 31) at = nextChange(at, BERLIN, -1);
  return at;
}

/** Next time at which the clocks of a time zone go forward (1) or back (-1). */
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
