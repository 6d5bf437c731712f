import { expect, it } from '@jest/globals';
import { PATTERNS } from '@po/contracts';
import { metricsRegistry } from '@po/platform';
import { observeRpc } from './metrics.js';

it('the duration of requests is kept apart for every type and outcome', async () => {
  const outcomes = ['2xx', '4xx', '5xx', 'timeout'];
  const pairs = Object.values(PATTERNS).flatMap(({ type }) => outcomes.map((outcome) => ({ type, outcome })));
  for (const { type, outcome } of pairs) observeRpc(type, outcome, 1);
  const text = await metricsRegistry.metrics();
  const counted = [...text.matchAll(/^rpc_client_duration_seconds_count\{type="(.+)",outcome="(.+)"\} 1$/gm)];
  expect(counted.map(([, type, outcome]) => ({ type, outcome }))).toEqual(pairs);
});
