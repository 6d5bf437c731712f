import { expect, it } from '@jest/globals';
import { readExportsOptions } from './options.js';

it('has the first of 500 vendors export almost all that a file may have, if not told otherwise', () => {
  expect(readExportsOptions(['--exports'])).toMatchObject({
    ...{ rounds: 5, assortment: { orders: 20_000, cells: 24, vendors: 500, seed: 1 } },
  });
});

it('takes what it is told', () => {
  expect(readExportsOptions('--exports --orders 500 --cells 10 --rounds 1'.split(' '))).toMatchObject({
    ...{ rounds: 1, assortment: { orders: 500, cells: 10 } },
  });
});

it.each([
  ['--rounds', '0', /--rounds takes a whole number from 1 to 100, not "0"/],
  ['--orders', 'many', /--orders takes/],
  ['--minutes', '2', /--minutes/],
])('refuses %s %s', (option, value, reason) => {
  expect(() => readExportsOptions([option, value])).toThrow(reason);
});
