import { expect, it } from '@jest/globals';
import { readScaleOptions } from './options.js';

it('measures twenty thousand orders if not told otherwise', () => {
  expect(readScaleOptions([])).toMatchObject({
    assortment: { orders: 20_000, cells: 50, vendors: 500, seed: 1 },
    ...{ connections: [1, 16], requests: 60 },
  });
});

it('takes what it is told', () => {
  expect(readScaleOptions('--orders 100000 --connections 1 --requests 9'.split(' '))).toMatchObject({
    assortment: { orders: 100_000 },
    ...{ connections: [1], requests: 9 },
  });
});

it.each([
  ['--orders', '0', /--orders takes/],
  ['--connections', '1,x', /--connections takes whole numbers from 1 to 64, not "1,x"/],
  ['--requests', '0', /--requests takes/],
])('refuses %s %s', (option, value, reason) => {
  expect(() => readScaleOptions([option, value])).toThrow(reason);
});
