import { addDays } from '@po/contracts';

export const WEEKS = 12;

/** The Monday of a date's week. */
export const weekOf = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/** The Mondays of `WEEKS` weeks, starting with this one. */
export const weeksFrom = (monday: string): string[] =>
  Array.from({ length: WEEKS }, (_, week) => addDays(monday, 7 * week));
