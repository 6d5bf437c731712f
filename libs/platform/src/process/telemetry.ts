import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, collectDefaultMetrics, register } from 'prom-client';
import { VERSION } from '../configuration/config.js';

/** Process, event-loop and build metrics on prom-client's global registry; call once per process. */
export function startMetrics(service: string): void {
  // prom-client's own histogram wakes an idle process a hundred times a second, half a percent of a core, and counts its own
  // interval as lag.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 1_000_000_000 });
  measureEventLoopLag();
  new Gauge({
    name: 'app_build_info',
    help: 'Always 1; the labels say what runs',
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
        // A scrape reads them in the order they were registered in.
        if (statistic === 'max') delays.reset();
      },
    });
  }
}

export const metricsRegistry = register;

/** Histogram buckets in seconds. Few: each costs a series for every combination of labels. */
export const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Keeps the first `limit` values apart and refuses all later ones, so that a metric has no more series than were thought of. */
export class FirstValues {
  private readonly known = new Set<string>();

  constructor(private readonly limit: number) {}

  has(value: string): boolean {
    if (this.known.has(value)) return true;
    if (this.known.size >= this.limit) return false;
    this.known.add(value);
    return true;
  }
}

/** Label value for all values without a label of their own. */
export const OTHER = '(other)';
