import { expect, it } from '@jest/globals';
import { readSoakOptions } from './options.js';

it('soaks for ten minutes if not told otherwise', () => {
  expect(readSoakOptions(['--soak'])).toMatchObject({
    ...{ minutes: 10, rate: 200 },
    assortment: { orders: 20_000, cells: 50, vendors: 500, seed: 1 },
  });
});

it('takes what it is told', () => {
  expect(readSoakOptions('--soak --minutes 2.5 --rate 50 --orders 500'.split(' '))).toMatchObject({
    ...{ minutes: 2.5, rate: 50 },
    assortment: { orders: 500 },
  });
});

it.each([
  ['--minutes', '1', /--minutes takes a number from 2 to 1440, not "1"/],
  ['--minutes', 'long', /--minutes takes/],
  ['--rate', '0', /--rate takes/],
  ['--orders', '1.5', /--orders takes/],
  ['--connections', '9', /--connections/],
])('refuses %s %s', (option, value, reason) => {
  expect(() => readSoakOptions([option, value])).toThrow(reason);
});
