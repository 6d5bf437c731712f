import { describe, expect, it } from '@jest/globals';
import { randomOf } from '#local/generator/random.js';
import { type MemorySample, growthOf, hasFailed } from './growth.js';

const MINUTES = 10;
const EVERY_S = 5;
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

/** Samples of ten minutes: `mb` and `heap` by the minute, with noise of so many MB to either side. */
function series(
  mb: (minute: number) => number,
  noise = 0,
  seed = 1,
  heap?: (minute: number) => number,
): MemorySample[] {
  const random = randomOf(seed);
  return Array.from({ length: (MINUTES * 60) / EVERY_S + 1 }, (_, index) => {
    const minute = (index * EVERY_S) / 60;
    const sample = { atS: 30 + index * EVERY_S, mb: mb(minute) + noise * (2 * random.next() - 1) };
    return heap ? { ...sample, heapUsedMb: heap(minute) } : sample;
  });
}

/** Garbage: up by 40 MB in forty seconds, and collected at once. */
const sawtooth = (minute: number): number => 40 * ((minute * 1.5) % 1);

it('growth has its MB a minute, and medians after the warm-up and at the end', () => {
  const growth = growthOf(series((minute) => 100 + 4 * minute));
  expect(growth).toMatchObject({ start: 100, max: 140, verdict: 'grows' });
  expect([growth.warm, growth.end, growth.slope].map(Math.round)).toEqual([117, 135, 4]);
});

interface Course {
  title: string;
  mb: (minute: number) => number;
  noise?: number;
  heap?: (minute: number) => number;
}

const GROWING: Course[] = [
  { title: 'with noise', mb: (minute) => 150 + 4 * minute, noise: 8 },
  { title: 'in a sawtooth', mb: (minute) => 150 + 8 * minute + sawtooth(minute) },
  { title: 'from the middle on', mb: (minute) => 150 + 6 * Math.max(0, minute - 5) },
  { title: 'with its heap after collections', mb: (m) => 150 + 4 * m, heap: (m) => 40 + 4 * m + sawtooth(m) },
];
const STEADY: Course[] = [
  { title: 'on a plateau', mb: () => 150, noise: 1 },
  { title: 'on a plateau after a warm-up', mb: (minute) => 150 + 30 * Math.min(1, minute / 3), noise: 1 },
  { title: 'after a late step, as a rebuild makes one', mb: (minute) => (minute < 6.7 ? 150 : 190), noise: 1 },
  { title: 'after a peak', mb: (minute) => (minute > 3.3 && minute < 5.2 ? 220 : 150), noise: 1 },
  { title: 'in a sawtooth', mb: (minute) => 150 + sawtooth(minute), noise: 1 },
  { title: 'when it falls', mb: (minute) => 200 - 5 * minute, noise: 1 },
  { title: 'when it grows by less than one percent a minute', mb: (minute) => 150 + 1.2 * minute, noise: 1 },
  { title: 'when it grows by less than one MB a minute', mb: (minute) => 10 + 0.8 * minute, noise: 1 },
  { title: 'when only uncollected garbage grows', mb: (m) => 150 + 4 * m, heap: (m) => 40 + sawtooth(m) },
];
const verdictsOf = ({ mb, noise = 0, heap }: Course) =>
  new Set(SEEDS.map((seed) => growthOf(series(mb, noise, seed, heap)).verdict));

describe('memory grows', () => {
  it.each(GROWING)('$title', (course) => {
    expect(verdictsOf(course)).toEqual(new Set(['grows']));
  });
});

describe('memory is steady', () => {
  it.each(STEADY)('$title', (course) => {
    expect(verdictsOf(course)).toEqual(new Set(['steady']));
  });

  it('with noise alone, in 48 of 50 runs', () => {
    const verdicts = SEEDS.map((seed) => growthOf(series(() => 150, 20, seed)).verdict);
    expect(verdicts.filter((verdict) => verdict === 'grows').length).toBeLessThanOrEqual(2);
  });
});

it('a process that was gone has ended, whatever its successor has', () => {
  const samples = series((minute) => (minute > 4 && minute < 4.2 ? 0 : 150));
  expect(growthOf(samples).verdict).toBe('ended');
});

it('too few samples are refused', () => {
  expect(() => growthOf(series(() => 150).slice(0, 5))).toThrow('5 samples are too few to tell growth');
});

it.each([
  ['steady', 'steady', 0, false],
  ['grows', 'steady', 0, true],
  ['ended', 'steady', 0, true],
  ['steady', 'grows', 0, false],
  ['steady', 'ended', 0, true],
  ['steady', 'steady', 1, true],
] as const)(
  'with the gateway %s, Kafka %s and %i failed requests: failed is %s',
  (gateway, kafka, failed, expected) => {
    expect(hasFailed({ gateway: { verdict: gateway }, kafka: { verdict: kafka } }, failed)).toBe(expected);
  },
);
