const DAY_MS = 86_400_000;

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** Days from one date to another, both `YYYY-MM-DD`; negative where the other is before. */
export const daysFrom = (one: string, other: string): number => dayOf(other) - dayOf(one);

/** The day that it is everywhere at this time (epoch milliseconds), as the API reckons lateness. */
export const todayAt = (now: number): string => new Date(now).toISOString().slice(0, 10);
