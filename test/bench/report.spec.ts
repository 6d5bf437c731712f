import { expect, it } from '@jest/globals';
import { multiplesOf } from './load/measure.js';
import { medianOf, quantilesOf } from './report.js';

it('takes quantiles of unordered latencies', () => {
  const latencies = Array.from({ length: 200 }, (_, index) => ((index * 7) % 200) + 1);
  expect(quantilesOf(latencies)).toEqual({ p50: 101, p95: 191, p99: 199 });
  expect(quantilesOf([]).p50).toBeNaN();
});

it('takes the median of an odd and of an even number of values', () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3])]).toEqual([2, 2.5]);
});

it('compares two loads by throughput, latency, and CPU without that of the load client', () => {
  const load = { connections: 64, requests: 1, errors: 0, firstError: null, p95: 15, idleCpu: 0 };
  const product = { ...load, requestsPerSecond: 100, p50: 10, p99: 20, cpuMs: { gateway: 1, kafka: 1, load: 5 } };
  const stock = { ...load, requestsPerSecond: 50, p50: 40, p99: 80, cpuMs: { gateway: 1, service: 3, load: 9 } };
  expect(multiplesOf(product, stock)).toEqual({ 'x req/s': 2, 'x p50': 0.25, 'x p99': 0.25, 'x CPU': 0.5 });
});
