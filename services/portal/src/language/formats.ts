import type { Language } from './dictionary.js';

const LOCALES: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' };
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
  /** Day and time of an instant, where the user is. */
  instant: (instant: string) => string;
  /** An instant as seen from now (epoch milliseconds): "5 minutes ago", or its date. */
  since: (instant: string, now: number) => string;
  /** A whole number. */
  quantity: (quantity: number) => string;
  /** An amount with two decimals, without its currency. */
  amount: (amount: number) => string;
  /** A price with two to four decimals, without its currency. */
  price: (price: number) => string;
}

function make(locale: string): Formats {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const price = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  return {
    date: (text) => date.format(new Date(`${text}T00:00:00Z`)),
    instant: (text) => instant.format(new Date(text)),
    since: (text, now) => {
      const ms = Date.parse(text) - now;
      if (Math.abs(ms) > RELATIVE_UP_TO_DAYS * UNITS[0][1]) return instant.format(new Date(text));
      const [unit, length] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1000];
      return relative.format(Math.round(ms / length), unit);
    },
    quantity: (number) => quantity.format(number),
    amount: (number) => amount.format(number),
    price: (number) => price.format(number),
  };
}

/** How dates and numbers are written; making these takes longer than using them. */
export const FORMATS: Record<Language, Formats> = { en: make(LOCALES.en), zh: make(LOCALES.zh) };
