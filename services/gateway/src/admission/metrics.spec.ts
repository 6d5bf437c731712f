import { expect, it } from '@jest/globals';
import { admissionsRefused } from './metrics.js';

it('admission_refusals_total starts at 0 for each kind and limit, so that increase() counts the first refusal', async () => {
  const { values } = await admissionsRefused.get();
  expect(values.map(({ labels, value }) => [labels.kind, labels.limit, value])).toEqual([
    ['export', 'user', 0],
    ['export', 'gateway', 0],
    ['file', 'user', 0],
    ['file', 'gateway', 0],
    ['upload', 'user', 0],
    ['upload', 'gateway', 0],
    ['answer', 'user', 0],
  ]);
});
