import { PICKED, type Panel, type Query, type Unit } from './dashboard.js';

/** A PromQL query and the legend of its lines. */
export const query = (expr: string, legend: string): Query => ({ expr, legend });
/** A panel with lines over time. */
export const panel = (title: string, unit: Unit, about: string, ...queries: Query[]): Panel => ({
  title,
  unit,
  about,
  queries,
});
/** A panel with only the last value. */
export const stat = (...args: Parameters<typeof panel>): Panel => ({ ...panel(...args), single: true });

/** Sum by label combination; `maxBy` is the maximum. */
export const sumBy = (labels: string, expr: string): string => `sum by (${labels}) (${expr})`;
export const maxBy = (labels: string, expr: string): string => `max by (${labels}) (${expr})`;
/** Rate per second of a counter, with the dashboard's matchers; `more` are further matchers such as `,outcome="2xx"`. */
export const rate = (metric: string, more = ''): string => `rate(${metric}{${PICKED}${more}}[$__rate_interval])`;
/** Current value of a metric, with the dashboard's matchers. */
export const gauge = (metric: string, more = ''): string => `${metric}{${PICKED}${more}}`;
/** Quantile of a histogram; `share` is between 0 and 1. */
export const quantile = (share: number, labels: string, metric: string, more = ''): string =>
  `histogram_quantile(${share}, ${sumBy(`le, ${labels}`, rate(`${metric}_bucket`, more))})`;
