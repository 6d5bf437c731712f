import { expect, it } from '@jest/globals';
import { modeOf } from './mode.js';

it.each([
  [[], 'comparison'],
  [['--only', 'get'], 'comparison'],
  [['--orders', '9', '--scale'], 'scale'],
])('of %j is %s', (args, mode) => {
  expect(modeOf(args)).toBe(mode);
});
