import { describe, expect, it } from '@jest/globals';
import { randomOf } from '#local/generator/random.js';
import { type Sample, growthOf, slopeOf } from './growth.js';

const MINUTES = 10;
const EVERY_S = 5;

/** Samples of ten minutes: `mb` by the minute, and noise of so many MB to either side. */
function series(mb: (minute: number) => number, noise = 0, seed = 1): Sample[] {
  const random = randomOf(seed);
  return Array.from({ length: (MINUTES * 60) / EVERY_S + 1 }, (_, index) => ({
    atS: 30 + index * EVERY_S,
    mb: mb((index * EVERY_S) / 60) + noise * (2 * random.next() - 1),
  }));
}

const verdictOf = (samples: readonly Sample[]): string => growthOf(samples).verdict;
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);
/** What garbage does: up by 40 MB in forty seconds, and down at once. */
const sawtooth = (minute: number): number => 40 * ((minute * 1.5) % 1);

describe('the line through samples', () => {
  it('tells MB a minute, wherever the clock begins', () => {
    expect(slopeOf(series((minute) => 100 + 3 * minute))).toBeCloseTo(3);
    expect(slopeOf(series((minute) => 100 - 3 * minute))).toBeCloseTo(-3);
    expect(slopeOf(series(() => 100))).toBeCloseTo(0);
  });

  it('is level where there is no line', () => {
    expect(slopeOf([{ atS: 1, mb: 9 }])).toBe(0);
    expect(slopeOf([])).toBe(0);
  });
});

describe('memory that grows', () => {
  it('is told, and by how much', () => {
    const growth = growthOf(series((minute) => 100 + 4 * minute));
    expect(growth).toMatchObject({ start: 100, max: 140, verdict: 'grows' });
    expect(growth.warm).toBeCloseTo(116.5, 0);
    expect(growth.end).toBeCloseTo(135, 0);
    expect(growth.slope).toBeCloseTo(4);
  });

  it('is told under noise', () => {
    for (const seed of SEEDS) expect(verdictOf(series((minute) => 150 + 4 * minute, 8, seed))).toBe('grows');
  });

  it('is told under a sawtooth', () => {
    expect(verdictOf(series((minute) => 150 + 8 * minute + sawtooth(minute)))).toBe('grows');
  });

  it('is told when it began late', () => {
    expect(verdictOf(series((minute) => 150 + 6 * Math.max(0, minute - 5)))).toBe('grows');
  });
});

describe('the memory of a service', () => {
  const withHeap = (left: (minute: number) => number) =>
    series((minute) => 150 + 4 * minute).map((sample, index) => ({
      ...sample,
      heapUsedMb: left((index * EVERY_S) / 60) + sawtooth((index * EVERY_S) / 60),
    }));

  it('grows when what is left after collections does', () => {
    expect(verdictOf(withHeap((minute) => 40 + 4 * minute))).toBe('grows');
  });

  it('does not when its heap is only collected later', () => {
    expect(verdictOf(withHeap(() => 40))).toBe('steady');
  });
});

describe('memory is steady', () => {
  it.each<[string, (minute: number) => number]>([
    ['on a plateau', () => 150],
    ['on a plateau after a warm-up', (minute) => 150 + 30 * Math.min(1, minute / 3)],
    ['on a plateau after a late step, as a rebuild makes one', (minute) => (minute < 6.7 ? 150 : 190)],
    ['on a plateau after a peak', (minute) => (minute > 3.3 && minute < 5.2 ? 220 : 150)],
    ['in a sawtooth', (minute) => 150 + sawtooth(minute)],
    ['when it falls', (minute) => 200 - 5 * minute],
    ['when it grows by less than one percent a minute', (minute) => 150 + 1.2 * minute],
    ['when it grows by less than one MB a minute', (minute) => 10 + 0.8 * minute],
  ])('%s', (_what, mb) => {
    for (const seed of SEEDS) expect(verdictOf(series(mb, 1, seed))).toBe('steady');
  });

  it('under noise alone, but for a few runs of a hundred', () => {
    const verdicts = SEEDS.map((seed) => verdictOf(series(() => 150, 20, seed)));
    expect(verdicts.filter((verdict) => verdict === 'grows').length).toBeLessThanOrEqual(2);
  });
});

it('a process that was gone has ended, whatever its successor has', () => {
  expect(verdictOf(series((minute) => (minute > 4 && minute < 4.2 ? 0 : 150)))).toBe('ended');
});

it('a few samples tell nothing', () => {
  const samples = series(() => 150).slice(0, 5);
  expect(() => growthOf(samples)).toThrow('5 samples are too few to tell growth');
});
