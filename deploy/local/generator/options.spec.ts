import { expect, it } from '@jest/globals';
import { readGeneratorOptions } from './options.js';

const NOW = new Date('2026-11-22T23:59:59Z');

it('has a default for everything', () => {
  const defaults = { orders: 1_000, cells: 50, vendors: 500, seed: 1, today: '2026-11-22', out: null };
  expect(readGeneratorOptions([], NOW)).toEqual(defaults);
});

it('reads every option', () => {
  const args = '--orders 100000 --cells 12 --vendors 3 --seed 9 --today 2026-02-28 --out o.ndjson'.split(' ');
  const wanted = { orders: 100_000, cells: 12, vendors: 3, seed: 9, today: '2026-02-28', out: 'o.ndjson' };
  expect(readGeneratorOptions(args, NOW)).toEqual(wanted);
});

it.each([
  ['--orders', '0', /--orders takes a whole number from 1 to 10000000, not "0"/],
  ['--cells', '3001', /--cells takes/],
  ['--vendors', '1.5', /--vendors takes/],
  ['--seed', 'x', /--seed takes/],
  ['--today', '2026-02-30', /--today takes a date/],
])('refuses %s %s', (option, value, reason) => {
  expect(() => readGeneratorOptions([option, value], NOW)).toThrow(reason);
});
