const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** What is kept of the last calculations: dates of some years, quarters of an hour of some weeks. */
const KEPT = 4_096;

export interface BusinessCalendarSettings {
  /** IANA name. */
  timeZone: string;
  /** `HH:MM` on the clocks of the time zone. */
  remindAt: string;
  /** Dates `YYYY-MM-DD` that are no working days, beside Saturdays and Sundays. */
  holidays: ReadonlySet<string>;
}

/** The date so many days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Dates, working days and the daily reminding time of one time zone. */
export class BusinessCalendar {
  private readonly wallClock: Intl.DateTimeFormat;
  private readonly instants = new Map<string, number>();
  private readonly offsets = new Map<number, number>();
  private readonly workingDays = new Map<string, string>();

  constructor(private readonly settings: BusinessCalendarSettings) {
    this.wallClock = new Intl.DateTimeFormat('en-US', {
      timeZone: settings.timeZone,
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

  /** The date of an instant. */
  dateOf(instant: Date): string {
    return new Date(instant.getTime() + this.offsetAt(instant.getTime())).toISOString().slice(0, 10);
  }

  isWorkingDay(date: string): boolean {
    const day = new Date(date).getUTCDay();
    return day !== 0 && day !== 6 && !this.settings.holidays.has(date);
  }

  /** The so manieth working day after a date; for 0 the date itself. */
  addWorkingDays(date: string, days: number): string {
    let reached = date;
    for (let left = days; left > 0; left -= 1) reached = this.workingDayAfter(reached);
    return reached;
  }

  private workingDayAfter(date: string): string {
    return kept(this.workingDays, date, () => {
      let next = addDays(date, 1);
      while (!this.isWorkingDay(next)) next = addDays(next, 1);
      return next;
    });
  }

  /** When reminders of a date are due. */
  remindingOn(date: string): Date {
    return new Date(kept(this.instants, date, () => this.instantOf(date)));
  }

  /** The date of the first reminding time that is not before an instant. */
  nextRemindingDate(from: Date): string {
    const today = this.dateOf(from);
    return this.remindingOn(today) >= from ? today : addDays(today, 1);
  }

  // RFC 5545, 3.3.5: a time that the clocks skip counts by the offset before the gap; of a time that comes twice, the first counts.
  private instantOf(date: string): number {
    const wall = Date.parse(`${date}T${this.settings.remindAt}:00Z`);
    const [before, after] = [this.offsetAt(wall - DAY_MS), this.offsetAt(wall + DAY_MS)];
    const isWallTime = (offset: number) => this.offsetAt(wall - offset) === offset;
    return isWallTime(before) || !isWallTime(after) ? wall - before : wall - after;
  }

  // Since 1972 no clocks change but at a quarter of an hour of UTC. To ask Intl costs more than the rest of a reminder's calculation.
  private offsetAt(instant: number): number {
    const quarter = Math.floor(instant / QUARTER_MS);
    return kept(this.offsets, quarter, () => this.shownOffsetAt(quarter * QUARTER_MS));
  }

  /** Milliseconds that the clocks are ahead of UTC. */
  private shownOffsetAt(instant: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.wallClock.formatToParts(instant)) shown[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  }
}

function kept<Key, Value>(values: Map<Key, Value>, key: Key, calculate: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  if (values.size >= KEPT) values.clear();
  const value = calculate();
  values.set(key, value);
  return value;
}
