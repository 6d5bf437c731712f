import { expect, it } from '@jest/globals';
import { requestLines } from './report.js';

const http = (p50: number) => ({ p50, p95: 2 * p50, p99: 3 * p50, failed: 0, firstFailure: null });

it('shows how much of each request is the transport alone', () => {
  const rows = [
    { name: 'transport', sql: null, http: http(3) },
    { name: 'GET', sql: { p50: 1, p95: 2, p99: 3 }, http: http(12) },
  ];
  expect(requestLines(rows)).toEqual([
    { request: 'transport', 'HTTP p50': 3, 'HTTP p95': 6, 'transport %': 100 },
    { request: 'GET', 'SQL p50': 1, 'SQL p95': 2, 'HTTP p50': 12, 'HTTP p95': 24, 'transport %': 25 },
  ]);
});
