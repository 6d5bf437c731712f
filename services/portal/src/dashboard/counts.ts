import type { Kpis, StatusDetails } from '../api/schemas.js';

/** How many orders are in one of the statuses, named by their English labels. */
export const countIn = (counts: Kpis, statuses: readonly StatusDetails[], labels: readonly string[]): number =>
  statuses
    .filter(({ status }) => labels.includes(status))
    .reduce((sum, { kpiKey }) => sum + countOf(counts, kpiKey), 0);

/** Of a status that this count does not have yet there is none. */
export const countOf = (counts: Kpis, kpiKey: string): number =>
  Object.hasOwn(counts, kpiKey) ? counts[kpiKey as keyof Kpis] : 0;

/** How long the bar of a number is beside that of the largest, in percent; none is not shorter than can be seen. */
export const shareOf = (number: number, largest: number): number =>
  number <= 0 || largest <= 0 ? 0 : Math.max(SEEN, (100 * number) / largest);
const SEEN = 1.5;

/** A part of all in percent; 0 and 100 only where it is none or all. */
export function percentOf(part: number, all: number): number {
  if (part === 0 || part === all) return part === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((part / all) * 100)));
}
