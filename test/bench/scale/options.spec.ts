import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { readScaleOptions } from './options.js';

const optionsOf = (text: string) => readScaleOptions(text.split(' '));

it('measures everything with twenty thousand orders if not told otherwise', () => {
  expect(readScaleOptions([])).toMatchObject({
    assortment: { orders: 20_000, cells: 50, vendors: 500, seed: 1 },
    parts: ['import', 'lists', 'writes', 'inbox', 'fan-out', 'rebuild'],
    ...{ connections: [1, 16], requests: 60, keep: null, prepared: null },
  });
});

it('takes what it is told', () => {
  expect(optionsOf('--scale --orders 100000 --connections 1 --requests 9 --only rebuild,writes')).toMatchObject({
    assortment: { orders: 100_000 },
    ...{ connections: [1], requests: 9, parts: ['writes', 'rebuild'] },
  });
});

it('keeps what it imports', () => {
  expect(optionsOf('--only import --keep /tmp/kept')).toMatchObject({ keep: resolve('/tmp/kept'), prepared: null });
});

it('imports nothing into a prepared stack', () => {
  expect(optionsOf('--prepared /tmp/kept')).toMatchObject({
    ...{ keep: null, prepared: resolve('/tmp/kept') },
    parts: ['lists', 'writes', 'inbox', 'fan-out', 'rebuild'],
  });
});

it.each([
  ['--orders 0', /--orders takes/],
  ['--connections 1,x', /--connections takes whole numbers from 1 to 64, separated by commas, not "1,x"/],
  ['--requests 0', /--requests takes/],
  ['--requests 5,6', /--requests takes a whole number/],
  ['--only lists,search', /--only takes import, lists, .*, not "search"/],
  ['--only import --prepared kept', /--only import measures nothing/],
  ['--only lists --keep kept', /--only lacks import/],
  ['--keep kept --prepared kept', /exclude each other/],
  ['--keep=', /take a folder/],
])('refuses %s', (text, reason) => {
  expect(() => optionsOf(text)).toThrow(reason);
});
