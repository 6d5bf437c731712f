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

/** Time after `digestAt` in which a digest still collects notifications: by default, reminders are created at that very time. */
const DIGEST_COLLECTS_MS = 30_000;

/** When the digest for a notification of `now` is due: 30 s after `digestAt`. */
export function digestDue(digestAt: string, timeZone: string, now: Date): Date {
  const begun = nextTimeOfDay(digestAt, timeZone, new Date(now.getTime() - DIGEST_COLLECTS_MS));
  return new Date(begun.getTime() + DIGEST_COLLECTS_MS);
}

/** First instant after `from` at which the zone's clocks show the time of day `HH:MM`. */
export function nextTimeOfDay(timeOfDay: string, timeZone: string, from: Date): Date {
  const clock = clockOf(timeZone);
  for (let date = clock.dateOf(from); ; date = addDays(date, 1)) {
    const instant = clock.instantOf(date, timeOfDay);
    if (instant > from) return instant;
  }
}
