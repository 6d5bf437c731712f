const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Parses a typed date to `YYYY-MM-DD`. Accepts the portal's formats in both languages, that form, and year, month and day separated by dots
 * or slashes, also in full-width characters of Chinese keyboards. Null for anything else, including days that do not exist.
 */
export function readDate(typed: string): string | null {
  const text = typed.normalize('NFKC');
  const inNumbers = /^\s*(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?\s*$/.exec(text);
  if (inNumbers) return dateOf(Number(inNumbers[1]), Number(inNumbers[2]), Number(inNumbers[3]));
  const inWords = /^\s*(\d{1,2})\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})\s*$/i.exec(text);
  const month = MONTHS.indexOf((inWords?.[2] ?? '').toLowerCase()) + 1;
  return inWords ? dateOf(Number(inWords[3]), month, Number(inWords[1])) : null;
}

/** Text typed into a date field: formatted by `date`, or unchanged if it is not a date. */
export const shownDate = (typed: string, date: (day: string) => string): string =>
  readDate(typed) === null ? typed : date(typed);

function dateOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : null;
}

const DAY_MS = 86_400_000;

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** Days from one date to another, both `YYYY-MM-DD`; negative if the second is earlier. */
export const daysFrom = (one: string, other: string): number => dayOf(other) - dayOf(one);
