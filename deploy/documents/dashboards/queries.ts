import { PICKED, type Panel, type Query, type Unit } from './dashboard.js';

/** A question to Prometheus, and how its lines are called. */
export const query = (expr: string, legend: string): Query => ({ expr, legend });
/** Lines over time. */
export const panel = (title: string, unit: Unit, about: string, ...queries: Query[]): Panel => ({
  title,
  unit,
  about,
  queries,
});
/** The last value alone. */
export const number = (...args: Parameters<typeof panel>): Panel => ({ ...panel(...args), single: true });

/** The sum for each combination of labels; so with `most`. */
export const by = (labels: string, expr: string): string => `sum by (${labels}) (${expr})`;
export const most = (labels: string, expr: string): string => `max by (${labels}) (${expr})`;
/** A second, of a counter that is picked; `more` are further matchers, as in `,outcome="2xx"`. */
export const rate = (metric: string, more = ''): string => `rate(${metric}{${PICKED}${more}}[$__rate_interval])`;
/** As it is. */
export const now = (metric: string, more = ''): string => `${metric}{${PICKED}${more}}`;
/** The value that a share of what a histogram counts is below. */
export const quantile = (share: number, labels: string, metric: string, more = ''): string =>
  `histogram_quantile(${share}, ${by(`le, ${labels}`, rate(`${metric}_bucket`, more))})`;
