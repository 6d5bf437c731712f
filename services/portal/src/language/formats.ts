import type { Language } from './dictionary.js';

export const LOCALES: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' };
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** What is longer ago is told by its date. */
const RELATIVE_UP_TO_DAYS = 7;

export interface Formats {
  /** A date `YYYY-MM-DD`, which no time zone moves. */
  date: (date: string) => string;
  dayMonth: (date: string) => string;
  /** From a Monday `YYYY-MM-DD` to its Sunday. */
  week: (monday: string) => string;
  /** Day and time of an instant, where the user is. */
  instant: (instant: string) => string;
  /** An instant as seen from now (epoch milliseconds): "5 minutes ago", or its date. */
  since: (instant: string, now: number) => string;
  /** The day of an instant where the user is, in words where it is today or yesterday. */
  day: (instant: string, now: number) => string;
  /** So many days; `signed`: as a difference, with its sign. */
  days: (days: number, signed?: boolean) => string;
  quantity: (quantity: number) => string;
  /** An amount with two decimals, without its currency. */
  amount: (amount: number) => string;
  /** A price with two to four decimals, without its currency. */
  price: (price: number) => string;
}

const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
/** Days of the calendar where the user is, some of which have 23 or 25 hours. */
const daysSince = (text: string, now: number): number =>
  Math.round((midnight(Date.parse(text)) - midnight(now)) / UNITS[0][1]);

function make(locale: string): Formats {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const localDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const signedDays = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
    signDisplay: 'exceptZero',
  });
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const price = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  return {
    date: (text) => date.format(new Date(`${text}T00:00:00Z`)),
    dayMonth: (text) => dayMonth.format(new Date(`${text}T00:00:00Z`)),
    week: (monday) => {
      const from = Date.parse(`${monday}T00:00:00Z`);
      // Not a range by Intl: in Chinese it would be written in digits, unlike every other date.
      return [from, from + 6 * UNITS[0][1]].map((day) => date.format(day)).join(' – ');
    },
    instant: (text) => instant.format(new Date(text)),
    since: (text, now) => {
      const ms = Date.parse(text) - now;
      if (Math.abs(ms) > RELATIVE_UP_TO_DAYS * UNITS[0][1]) return instant.format(new Date(text));
      const [unit, length] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1000];
      return relative.format(unit === 'day' ? daysSince(text, now) : Math.trunc(ms / length), unit);
    },
    day: (text, now) => {
      const day = daysSince(text, now);
      return day === 0 || day === -1 ? relative.format(day, 'day') : localDay.format(new Date(text));
    },
    days: (number, signed = false) => (signed ? signedDays : days).format(number),
    quantity: (number) => quantity.format(number),
    amount: (number) => amount.format(number),
    price: (number) => price.format(number),
  };
}

/** How dates and numbers are written; making these takes longer than using them. */
export const FORMATS: Record<Language, Formats> = { en: make(LOCALES.en), zh: make(LOCALES.zh) };
