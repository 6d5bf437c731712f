/** Of latencies in milliseconds; NaN when there are none. */
export interface Quantiles {
  p50: number;
  p99: number;
}

/** Tells any quantile (0 to 1) of these latencies. */
export function quantileIn(latencies: readonly number[]): (q: number) => number {
  const sorted = latencies.toSorted((a, b) => a - b);
  return (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export function quantilesOf(latencies: readonly number[]): Quantiles {
  const quantile = quantileIn(latencies);
  return { p50: quantile(0.5), p99: quantile(0.99) };
}
