const DAY_MS = 86_400_000;
/** A calendar date anywhere in a text, including the date of an instant, but not within a number or name. */
const DATES = /(?<![\w-])\d{4}-\d{2}-\d{2}(?:(?![\w-])|(?=T\d{2}:))/g;

/** The day on which the examples take place; dates of demo orders are relative to it. */
export const TODAY = '2026-11-22';

/** The calendar date `days` later; negative is earlier. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Days from one calendar date to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text)) && daysAfter(text, 0) === text;

/** Shifts every calendar date in the JSON by `days`, including those in sentences such as `before the order date 2026-11-19`. */
export function shiftDates<T>(json: T, days: number): T {
  return JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(DATES, (date) => (isDate(date) ? daysAfter(date, days) : date))
      : value,
  ) as T;
}
