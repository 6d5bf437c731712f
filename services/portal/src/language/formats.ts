import type { Language } from './dictionary.js';

export const LOCALES: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' };
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Older times are written as a date. */
const RELATIVE_UP_TO_DAYS = 7;

const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
/** Difference in calendar days of the user's time zone, some of which have 23 or 25 hours. */
const daysSince = (text: string, now: number): number =>
  Math.round((midnight(Date.parse(text)) - midnight(now)) / UNITS[0][1]);

function make(locale: string) {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const localDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const ofDays = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
  const days = new Intl.NumberFormat(locale, ofDays);
  const signedDays = new Intl.NumberFormat(locale, { ...ofDays, signDisplay: 'exceptZero' });
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const price = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' });
  const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  return {
    /** Formats a date `YYYY-MM-DD`, independent of the time zone. */
    date: (text: string) => date.format(new Date(`${text}T00:00:00Z`)),
    dayMonth: (text: string) => dayMonth.format(new Date(`${text}T00:00:00Z`)),
    /** Formats a week, from the Monday `YYYY-MM-DD` to its Sunday. */
    week: (monday: string) => {
      const from = Date.parse(`${monday}T00:00:00Z`);
      // Not formatRange of Intl: in Chinese it would use only digits, unlike all other dates.
      return [from, from + 6 * UNITS[0][1]].map((day) => date.format(day)).join(' – ');
    },
    /** Date and time of an instant in the user's time zone. */
    instant: (text: string) => instant.format(new Date(text)),
    /** An instant relative to `now` (epoch milliseconds), such as "5 minutes ago"; date and time if it is older. */
    since: (text: string, now: number) => {
      const ms = Date.parse(text) - now;
      if (Math.abs(ms) > RELATIVE_UP_TO_DAYS * UNITS[0][1]) return instant.format(new Date(text));
      const [unit, length] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1000];
      return relative.format(unit === 'day' ? daysSince(text, now) : Math.trunc(ms / length), unit);
    },
    /** The day of an instant in the user's time zone; “today” and “yesterday” in words. */
    day: (text: string, now: number) => {
      const day = daysSince(text, now);
      return day === 0 || day === -1 ? relative.format(day, 'day') : localDay.format(new Date(text));
    },
    /** A number of days; `signed`: a difference with its sign. */
    days: (number: number, signed = false) => (signed ? signedDays : days).format(number),
    quantity: (number: number) => quantity.format(number),
    /** An amount with two decimals, without its currency. */
    amount: (number: number) => amount.format(number),
    /** A price with two to four decimals, without its currency. */
    price: (number: number) => price.format(number),
    /** Items with commas between them. */
    list: (items: readonly string[]) => list.format(items),
    percent: (number: number) => `${percent.format(number)}%`,
  };
}

export type Formats = ReturnType<typeof make>;

/** Date and number formats. Created once, because creating them takes longer than using them. */
export const FORMATS: Record<Language, Formats> = { en: make(LOCALES.en), zh: make(LOCALES.zh) };
