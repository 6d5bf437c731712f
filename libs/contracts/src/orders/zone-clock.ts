const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** Maximum cached offsets, enough for some weeks. */
const KEPT_OFFSETS = 4_096;

/** The last day with a four-digit year in every time zone. */
const LAST_DAY_MS = Date.parse('9999-12-30');

/** The date this many days later, at most 9999-12-30, because systems send the end of that year for an open date. */
export const addDays = (date: string, days: number): string =>
  new Date(Math.min(Date.parse(date) + days * DAY_MS, LAST_DAY_MS)).toISOString().slice(0, 10);

/** Days from one date to another; negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The clock of a time zone. Dates are `YYYY-MM-DD`, times of day `HH:MM`. */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  /** Throws a RangeError for an unknown IANA name. */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  dateOf(instant: Date): string {
    return new Date(instant.getTime() + this.offsetAt(instant.getTime())).toISOString().slice(0, 10);
  }

  /**
   * Instant at which the clock shows this date and time. RFC 5545, 3.3.5: a skipped time is interpreted with the offset before the gap, and
   * a repeated time is the first occurrence.
   */
  instantOf(date: string, timeOfDay: string): Date {
    const wall = Date.parse(`${date}T${timeOfDay}:00Z`);
    const [before, after] = [this.offsetAt(wall - DAY_MS), this.offsetAt(wall + DAY_MS)];
    const isWallTime = (offset: number) => this.offsetAt(wall - offset) === offset;
    return new Date(isWallTime(before) || !isWallTime(after) ? wall - before : wall - after);
  }

  // Milliseconds ahead of UTC. Cached, because Intl costs more than all the rest; since 1972 clocks change only at a quarter of an hour of
  // UTC.
  private offsetAt(instant: number): number {
    const quarter = Math.floor(instant / QUARTER_MS);
    const known = this.offsets.get(quarter);
    if (known !== undefined) return known;
    if (this.offsets.size >= KEPT_OFFSETS) this.offsets.clear();
    const offset = this.shownAt(quarter * QUARTER_MS) - quarter * QUARTER_MS;
    this.offsets.set(quarter, offset);
    return offset;
  }

  /** The local time at an instant, as if it were UTC. */
  private shownAt(instant: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.format.formatToParts(instant)) shown[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
}
