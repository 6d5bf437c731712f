import type { Kpis, StatusDetails } from '../api/schemas.js';

/** Number of orders in any of these statuses; `labels` are English. */
export const countIn = (counts: Kpis, statuses: readonly StatusDetails[], labels: readonly string[]): number =>
  statuses
    .filter(({ status }) => labels.includes(status))
    .reduce((sum, { kpiKey }) => sum + countOf(counts, kpiKey), 0);

/** Number of orders in a status; 0 for a status that the counts do not have yet. */
export const countOf = (counts: Kpis, kpiKey: string): number =>
  Object.hasOwn(counts, kpiKey) ? counts[kpiKey as keyof Kpis] : 0;

/** Length of a bar in percent of the largest bar. A number above 0 always gets a visible bar. */
export const shareOf = (number: number, largest: number): number =>
  number <= 0 || largest <= 0 ? 0 : Math.max(MIN_VISIBLE_PERCENT, (100 * number) / largest);
const MIN_VISIBLE_PERCENT = 1.5;

/** A part in whole percent; 0 and 100 only for none and all. */
export function percentOf(part: number, all: number): number {
  if (part === 0 || part === all) return part === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((part / all) * 100)));
}
