const DAY_MS = 86_400_000;
/** Dates whose reminding instant is kept: those of some years. */
const KEPT_DATES = 4_096;

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
    let [reached, left] = [date, days];
    while (left > 0) {
      reached = addDays(reached, 1);
      if (this.isWorkingDay(reached)) left -= 1;
    }
    return reached;
  }

  /** When reminders of a date are due. */
  remindingOn(date: string): Date {
    const known = this.instants.get(date);
    if (known !== undefined) return new Date(known);
    if (this.instants.size >= KEPT_DATES) this.instants.clear();
    const instant = this.instantOf(date);
    this.instants.set(date, instant);
    return new Date(instant);
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

  /** Milliseconds that the clocks are ahead of UTC. */
  private offsetAt(instant: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.wallClock.formatToParts(instant)) shown[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
  }
}
