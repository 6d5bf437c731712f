import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, collectDefaultMetrics, register } from 'prom-client';
import { VERSION } from '../configuration/config.js';

/** Registers process, event-loop and build metrics in prom-client's global registry. Call it once per process. */
export function startMetrics(service: string): void {
  // Disables prom-client's own histogram, which wakes an idle process 100 times a second (0.5% of a core) and counts its own interval as
  // lag.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 1_000_000_000 });
  measureEventLoopLag();
  new Gauge({
    name: 'app_build_info',
    help: 'Always 1; the labels identify the running version',
    labelNames: ['service', 'version', 'node'],
  }).set({ service, version: VERSION, node: process.version }, 1);
}

const LAG_SAMPLE_MS = 100;

function measureEventLoopLag(): void {
  const delays = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS });
  delays.enable();
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_SAMPLE_MS / 1e3);
  const statistics: [string, () => number][] = [
    ['min', () => seconds(delays.min)],
    ['mean', () => seconds(delays.mean)],
    ['stddev', () => delays.stddev / 1e9],
    ['p50', () => seconds(delays.percentile(50))],
    ['p90', () => seconds(delays.percentile(90))],
    ['p99', () => seconds(delays.percentile(99))],
    ['max', () => seconds(delays.max)],
  ];
  for (const [statistic, read] of statistics) {
    const name = `nodejs_eventloop_lag_${statistic}_seconds`;
    register.removeSingleMetric(name);
    new Gauge({
      name,
      help: `Event loop lag since the last scrape: ${statistic}`,
      collect() {
        this.set(delays.count === 0 ? 0 : read());
        // A scrape collects metrics in registration order, and `max` is the last.
        if (statistic === 'max') delays.reset();
      },
    });
  }
}

export const metricsRegistry = register;

/**
 * A counter whose series for these label values begin at 0. Alerts use `increase`, which misses the increment that creates a series, so the
 * first failure would raise no alarm.
 */
export function counterFromZero<L extends string>(
  name: string,
  help: string,
  labels: Record<L, readonly string[]>,
): Counter<L> {
  const counter = new Counter({ name, help, labelNames: Object.keys(labels) as L[] });
  let series: Partial<Record<L, string>>[] = [{}];
  for (const label in labels)
    series = series.flatMap((one) => labels[label].map((value) => ({ ...one, [label]: value })));
  for (const one of series) counter.inc(one, 0);
  return counter;
}

/** Histogram buckets in seconds. Few, because each bucket is a series for every label combination. */
export const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Accepts the first `limit` distinct values and refuses all later ones, which bounds the series of a metric. */
export class DistinctValueLimit {
  private readonly known = new Set<string>();

  constructor(private readonly limit: number) {}

  accepts(value: string): boolean {
    if (this.known.has(value)) return true;
    if (this.known.size >= this.limit) return false;
    this.known.add(value);
    return true;
  }
}

/** Label value for all values without their own label. */
export const OTHER = '(other)';
