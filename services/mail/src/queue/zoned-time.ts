import { ZoneClock, addDays } from '@po/contracts';

const clocks = new Map<string, ZoneClock>();

/**
 * The clock of a zone. Cached by its name in lower case, because users write names in any letter case and each spelling would take memory.
 */
export function clockOf(timeZone: string): ZoneClock {
  const name = timeZone.toLowerCase();
  const clock = clocks.get(name) ?? new ZoneClock(timeZone);
  clocks.set(name, clock);
  return clock;
}

/** First instant after `from` at which the zone's clocks show the time of day `HH:MM`. */
export function nextTimeOfDay(timeOfDay: string, timeZone: string, from: Date): Date {
  const clock = clockOf(timeZone);
  for (let date = clock.dateOf(from); ; date = addDays(date, 1)) {
    const instant = clock.instantOf(date, timeOfDay);
    if (instant > from) return instant;
  }
}
