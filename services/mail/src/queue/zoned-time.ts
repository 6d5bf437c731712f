import { ZoneClock, addDays } from '@po/contracts';

const clocks = new Map<string, ZoneClock>();

/** The clock of a zone. Users write its name in any letter case: one for each of these would take ever more memory. */
export function clockOf(timeZone: string): ZoneClock {
  const name = timeZone.toLowerCase();
  const clock = clocks.get(name) ?? new ZoneClock(timeZone);
  clocks.set(name, clock);
  return clock;
}

/** The first instant after `from` at which the zone's clocks show a time of day, `HH:MM`. */
export function nextTimeOfDay(timeOfDay: string, timeZone: string, from: Date): Date {
  const clock = clockOf(timeZone);
  for (let date = clock.dateOf(from); ; date = addDays(date, 1)) {
    const instant = clock.instantOf(date, timeOfDay);
    if (instant > from) return instant;
  }
}
