import { expect, it } from '@jest/globals';
import type { Growth } from './growth.js';
import { hasFailed } from './verdict.js';

const run = (gateway: Growth['verdict'], kafka: Growth['verdict'], failed = 0) =>
  hasFailed({ growth: { gateway: { verdict: gateway }, kafka: { verdict: kafka } }, load: { failed } });

it('a run fails when something grows or ended, or a request failed', () => {
  expect(run('steady', 'steady')).toBe(false);
  expect(run('grows', 'steady')).toBe(true);
  expect(run('ended', 'steady')).toBe(true);
  expect(run('steady', 'steady', 1)).toBe(true);
});

it('Kafka may grow, but not end', () => {
  expect(run('steady', 'grows')).toBe(false);
  expect(run('steady', 'ended')).toBe(true);
});
