const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** Offsets that are kept: those of some weeks. */
const KEPT_OFFSETS = 4_096;

/** The last day that has a year of four digits in every time zone. */
const LAST_DAY_MS = Date.parse('9999-12-30');

/** The date so many days later, at most 9999-12-30: systems send the end of that year for a date that is open. */
export const addDays = (date: string, days: number): string =>
  new Date(Math.min(Date.parse(date) + days * DAY_MS, LAST_DAY_MS)).toISOString().slice(0, 10);

/** Days from one date to another, below 0 to an earlier one. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** What the clocks of a time zone show. Dates are `YYYY-MM-DD`, times of day `HH:MM`. */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  /** Throws a RangeError for what is no IANA name. */
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
   * When the clocks show a time of a date. RFC 5545, 3.3.5: a time that they skip counts by the offset before the gap; of a time that comes
   * twice, the first counts.
   */
  instantOf(date: string, timeOfDay: string): Date {
    const wall = Date.parse(`${date}T${timeOfDay}:00Z`);
    const [before, after] = [this.offsetAt(wall - DAY_MS), this.offsetAt(wall + DAY_MS)];
    const isWallTime = (offset: number) => this.offsetAt(wall - offset) === offset;
    return new Date(isWallTime(before) || !isWallTime(after) ? wall - before : wall - after);
  }

  // Milliseconds ahead of UTC. Since 1972 no clocks change but at a quarter of an hour of UTC; to ask Intl costs more than all the rest.
  private offsetAt(instant: number): number {
    const quarter = Math.floor(instant / QUARTER_MS);
    const known = this.offsets.get(quarter);
    if (known !== undefined) return known;
    if (this.offsets.size >= KEPT_OFFSETS) this.offsets.clear();
    const offset = this.shownAt(quarter * QUARTER_MS) - quarter * QUARTER_MS;
    this.offsets.set(quarter, offset);
    return offset;
  }

  /** What the clocks show at an instant, as if it were UTC. */
  private shownAt(instant: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.format.formatToParts(instant)) shown[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
}
