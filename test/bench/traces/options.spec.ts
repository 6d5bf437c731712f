import { describe, expect, it } from '@jest/globals';
import { readTracesOptions } from './options.js';
import { sidesOf } from './sides.js';

describe('the options of a run with traces', () => {
  it('are three rounds of this build alone if not told otherwise', () => {
    expect(readTracesOptions(['--traces'])).toEqual({ rounds: 3, seconds: 10, connections: 16, before: null });
  });

  it('take another build', () => {
    const args = '--traces --rounds 1 --seconds 2 --connections 8 --before ../other'.split(' ');
    expect(readTracesOptions(args)).toEqual({ rounds: 1, seconds: 2, connections: 8, before: '../other' });
  });

  it.each([
    ['--rounds', '0', /--rounds takes/],
    ['--seconds', 'x', /--seconds takes/],
    ['--connections', '1.5', /--connections takes/],
    ['--sampler', 'x', /--sampler/],
  ])('refuse %s %s', (option, value, reason) => {
    expect(() => readTracesOptions([option, value])).toThrow(reason);
  });
});

it('the sides change places from round to round', () => {
  const names = (round: number) => sidesOf('/other', 'http://collector', round).map(({ name }) => name);
  expect(names(0)).toEqual(['before', 'off', '1 %', '100 %']);
  expect(names(1)).toEqual(['off', '1 %', '100 %', 'before']);
  expect(sidesOf(null, 'http://collector', 0)).toHaveLength(3);
});
