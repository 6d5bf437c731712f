import { describe, expect, it } from '@jest/globals';
import { quantilesOf } from './load/quantiles.js';
import type { LoadRow } from './measurements.js';
import { ratiosOf } from './report.js';

const row = (side: LoadRow['side'], changes: Partial<LoadRow>): LoadRow => ({
  ...{ kind: 'get', side, connections: 64, requests: 1, errors: 0, firstError: null },
  ...{ requestsPerSecond: 100, p50: 10, p95: 15, p99: 20, cpuMs: { gateway: 1 }, idleCpu: 0 },
  ...changes,
});

describe('the report of the benchmark', () => {
  it('compares the product with the other sides of the same load', () => {
    const rows = [
      row('stock', { requestsPerSecond: 50, p50: 40, p99: 80, cpuMs: { gateway: 1, service: 2, kafka: 1, load: 9 } }),
      row('direct', { connections: 16 }),
      row('product', { cpuMs: { gateway: 1, kafka: 1, load: 5 } }),
    ];
    expect(ratiosOf(rows)).toEqual([
      { kind: 'get', connections: 64, to: 'stock', requestsPerSecond: 2, p50: 0.25, p99: 0.25, cpu: 0.5 },
    ]);
  });

  it('takes quantiles of unordered latencies', () => {
    const latencies = Array.from({ length: 200 }, (_, index) => ((index * 7) % 200) + 1);
    expect(quantilesOf(latencies)).toEqual({ p50: 101, p95: 191, p99: 199 });
    expect(quantilesOf([]).p50).toBeNaN();
  });
});
