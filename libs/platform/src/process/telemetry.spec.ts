import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { counterFromZero, metricsRegistry, startMetrics } from './telemetry.js';

it('the event-loop metrics measure how long the event loop was blocked', async () => {
  startMetrics('test');
  const lag = async (statistic: string) => {
    const text = await metricsRegistry.metrics();
    return Number(new RegExp(`^nodejs_eventloop_lag_${statistic}_seconds (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const block = async () => {
    const until = performance.now() + 250;
    while (performance.now() < until);
    // Between the two lies a full turn of the event loop, in which the sampling timer runs.
    await setImmediate();
    await setImmediate();
  };
  // The first sample after a scrape only starts the clock.
  await eventually('the lag is sampled', async () => {
    await block();
    await block();
    return (await lag('max')) > 0.1;
  });
  for (const statistic of ['min', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
    expect(await lag(statistic)).toBeGreaterThanOrEqual(0);
  }
});

it('a counter from zero has a series for each combination of its labels', async () => {
  const { values } = await counterFromZero('test_total', 'help', { kind: ['a', 'b'], limit: ['x', 'y'] }).get();
  expect(values.map(({ labels, value }) => [labels.kind, labels.limit, value])).toEqual([
    ['a', 'x', 0],
    ['a', 'y', 0],
    ['b', 'x', 0],
    ['b', 'y', 0],
  ]);
});
