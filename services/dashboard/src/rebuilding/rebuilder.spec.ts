import { expect, it } from '@jest/globals';
import { metricsRegistry } from '@po/platform';
import './rebuilder.js';

it('rebuilds are counted from 0, so that an increase includes the first one', async () => {
  const text = await metricsRegistry.metrics();
  for (const outcome of ['finished', 'failed']) {
    expect(text).toContain(`projection_rebuilds_total{outcome="${outcome}"} 0\n`);
  }
});
