/** Of latencies in milliseconds; NaN when there are none. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
}

export function quantilesOf(latencies: readonly number[]): Quantiles {
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) };
}
