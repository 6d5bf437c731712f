import { ZoneClock, addDays } from '@po/contracts';

/** Maximum entries of each cache, enough for some years. */
const MAX_CACHED_DATES = 4_096;

export interface BusinessCalendarSettings {
  /** IANA name. */
  timeZone: string;
  /** Local time `HH:MM` in the time zone. */
  remindAt: string;
  /** Dates `YYYY-MM-DD` that are not working days, besides Saturdays and Sundays. */
  holidays: ReadonlySet<string>;
}

/** Dates, working days and the daily reminder time in one time zone. */
export class BusinessCalendar {
  private readonly clock: ZoneClock;
  private readonly instants = new Map<string, Date>();
  private readonly workingDays = new Map<string, string>();

  constructor(private readonly settings: BusinessCalendarSettings) {
    this.clock = new ZoneClock(settings.timeZone);
  }

  dateOf(instant: Date): string {
    return this.clock.dateOf(instant);
  }

  isWorkingDay(date: string): boolean {
    const day = new Date(date).getUTCDay();
    return day !== 0 && day !== 6 && !this.settings.holidays.has(date);
  }

  /** The date that is `days` working days later; for 0 the date itself. */
  addWorkingDays(date: string, days: number): string {
    let reached = date;
    for (let left = days; left > 0; left -= 1) reached = this.workingDayAfter(reached);
    return reached;
  }

  /** The time at which reminders of a date are due. */
  remindingOn(date: string): Date {
    return new Date(cached(this.instants, date, () => this.clock.instantOf(date, this.settings.remindAt)));
  }

  /** The last millisecond of a date. */
  endOf(date: string): Date {
    return new Date(this.clock.instantOf(addDays(date, 1), '00:00').getTime() - 1);
  }

  /** The date of the first reminder time at or after an instant. */
  nextRemindingDate(from: Date): string {
    const today = this.dateOf(from);
    return this.remindingOn(today) >= from ? today : addDays(today, 1);
  }

  private workingDayAfter(date: string): string {
    return cached(this.workingDays, date, () => {
      let next = addDays(date, 1);
      while (!this.isWorkingDay(next)) next = addDays(next, 1);
      return next;
    });
  }
}

function cached<Value>(values: Map<string, Value>, date: string, calculate: () => Value): Value {
  const known = values.get(date);
  if (known !== undefined) return known;
  if (values.size >= MAX_CACHED_DATES) values.clear();
  const value = calculate();
  values.set(date, value);
  return value;
}
