const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** What clocks of the zone show at an instant, as if it were UTC. */
function localTime(instant: number, timeZone: string): number {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

const offsetAt = (instant: number, timeZone: string): number =>
  localTime(instant, timeZone) - Math.floor(instant / 1_000) * 1_000;

/**
 * The instant at which the zone's clocks show a time. Of a time that comes twice, when clocks are set back, the first one; of one that is
 * skipped, as much after the change as it would have been after it.
 */
function instantOf(local: number, timeZone: string): number {
  const before = local - offsetAt(local - DAY_MS, timeZone);
  const after = local - offsetAt(local + DAY_MS, timeZone);
  const shown = [before, after].filter((instant) => localTime(instant, timeZone) === local);
  return shown.length > 0 ? Math.min(...shown) : before;
}

/** The first instant after `from` at which the zone's clocks show a time of day, `HH:MM`. */
export function nextTimeOfDay(timeOfDay: string, timeZone: string, from: Date): Date {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  const today = Math.floor(localTime(from.getTime(), timeZone) / DAY_MS) * DAY_MS;
  for (let day = today; ; day += DAY_MS) {
    const instant = instantOf(day + (hours * 60 + minutes) * 60_000, timeZone);
    if (instant > from.getTime()) return new Date(instant);
  }
}
