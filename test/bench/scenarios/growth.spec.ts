import { expect, it } from '@jest/globals';
import { growthOf } from './growth.js';

/** Samples over ten minutes. */
const samplesOf = (mb: (minute: number) => number) =>
  Array.from({ length: 121 }, (_, index) => ({
    atS: 5 * index,
    residentMb: mb(index / 12),
    retainedMb: mb(index / 12),
  }));
/** Garbage that grows by 40 MB in forty seconds and is then collected at once. */
const sawtooth = (minute: number): number => 40 * ((minute * 1.5) % 1);

it.each<[string, string, (minute: number) => number]>([
  ['grows', 'when it rises steadily', (minute) => 150 + 4 * minute],
  ['grows', 'when it rises in a sawtooth', (minute) => 150 + 4 * minute + sawtooth(minute)],
  ['steady', 'after a warm-up', (minute) => 150 + 30 * Math.min(1, minute / 3)],
  ['steady', 'in a sawtooth', (minute) => 150 + sawtooth(minute)],
  ['steady', 'when it rises by less than one percent a minute', (minute) => 150 + 1.2 * minute],
  ['steady', 'when it rises by less than one MB a minute', (minute) => 10 + 0.8 * minute],
  ['ended', 'when the process was gone, whatever its successor has', (m) => (m > 4 && m < 4.2 ? 0 : 150)],
])('memory is judged as %s %s', (verdict, _when, mb) => {
  expect(growthOf(samplesOf(mb)).verdict).toBe(verdict);
});

it('too few samples are refused', () => {
  expect(() => growthOf(samplesOf(() => 150).slice(0, 5))).toThrow('5 samples are too few to tell growth');
});

it('a process that could not be measured is refused', () => {
  const samples = samplesOf(() => 150).map((sample) => ({ ...sample, retainedMb: NaN }));
  expect(() => growthOf(samples)).toThrow('no sample of retainedMb in a quarter of the time');
});
