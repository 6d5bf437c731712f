import { expect, it } from '@jest/globals';
import { daysAfter } from './days.js';
import { planOf } from './options.js';

const DAYS = daysAfter(new Date('2026-11-23T05:11:20Z'));
const runsOf = (...args: string[]) => planOf(args, DAYS).runs.map(({ day, tier }) => `${tier} ${day.name}`);
const NAMES = DAYS.map(({ name }) => name);

it('runs one tier on one day, and each on every day by 24 seeds that follow each other', () => {
  expect(runsOf('--seed', '10')).toEqual(['integration in 200 days']);
  expect(runsOf('--seed', '10', '--tier', 'e2e')).toEqual(['e2e in 200 days']);
  expect(planOf([], DAYS).runs).toHaveLength(1);
  const seeds = Array.from({ length: 24 }, (_, seed) => String(seed));
  expect(new Set(seeds.flatMap((seed) => runsOf('--seed', seed))).size).toBe(24);
});

it('runs everything on every day with --all', () => {
  expect(runsOf('--all')).toHaveLength(24);
  expect(runsOf('--all', '--tier', 'e2e')).toEqual(NAMES.map((name) => `e2e ${name}`));
});

it('runs on the day that is named, and passes on what is left', () => {
  expect(runsOf('--day', '29 February')).toEqual(['unit', 'integration', 'e2e'].map((tier) => `${tier} 29 February`));
  const { runs, args } = planOf(['--tier', 'unit', '--day', 'tomorrow', 'services/portal'], DAYS);
  expect([runs.length, args]).toEqual([1, ['services/portal']]);
});

it.each([
  [['--seed', 'x'], '--seed takes an integer'],
  [['--tier', 'faults'], '--tier takes one of unit, integration, e2e'],
  [['--day', 'today'], "--day takes one of 'tomorrow', 'in 40 days'"],
  [['--every'], "Unknown option '--every'"],
])('refuses %j', (args, problem) => {
  expect(() => planOf(args, DAYS)).toThrow(problem);
});
