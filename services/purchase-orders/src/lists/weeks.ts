import { dateOf } from './summary.view.js';

export const WEEKS = 12;
const DAY_MS = 86_400_000;

/** A date `YYYY-MM-DD`, so many days later. */
const daysAfter = (date: string, days: number): string => dateOf(new Date(Date.parse(date) + days * DAY_MS));

/** The Monday of a date's week. */
export const weekOf = (date: string): string => daysAfter(date, -((new Date(date).getUTCDay() + 6) % 7));

/** The Mondays of the weeks from one on. */
export const weeksFrom = (monday: string): string[] =>
  Array.from({ length: WEEKS }, (_, week) => daysAfter(monday, 7 * week));
