const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The day on which the examples are set: orders of the demo have their dates around it. */
export const TODAY = '2026-11-22';

/** A calendar date so many days later; negative = earlier. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Days from one calendar date to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** JSON with every calendar date in it moved by so many days. */
export function moved<T>(json: T, days: number): T {
  return JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
    typeof value === 'string' && DATE.test(value) ? daysAfter(value, days) : value,
  ) as T;
}
