import { expect, it } from '@jest/globals';
import { modeOf } from './mode.js';

it.each([
  [[], 'comparison'],
  [['--only', 'get'], 'comparison'],
  [['--orders', '9', '--scale'], 'scale'],
  [['--replicas', '1,2'], 'replicas'],
  [['--replicas=1,2'], 'replicas'],
  [['--exports', '--rounds', '1'], 'exports'],
  [['--soak'], 'soak'],
  [['--streams', '--open', '50'], 'streams'],
  [['--traces'], 'traces'],
])('of %j is %s', (args, mode) => {
  expect(modeOf(args)).toBe(mode);
});

it('is one at a time', () => {
  expect(() => modeOf(['--replicas', '1', '--scale'])).toThrow('--scale and --replicas cannot be measured in one run');
});
