import { describe, expect, it } from '@jest/globals';
import { choices, folder, number, readOptions, whole, wholes } from './options.js';
import { nameOf } from './scenario-name.js';
import { replicaCountsOf } from './scenarios/replica-counts.js';

const TABLE = {
  only: choices(['get', 'idle']),
  connections: wholes('1,16', 1, 64),
  seconds: number(5, 1, 600),
  orders: whole(20, 1, 100),
  keep: folder,
};
const read = (text: string) => readOptions(text.split(' ').filter(Boolean), TABLE);

describe('the options of a scenario', () => {
  it('have their fallbacks when they are not given', () => {
    expect(read('')).toEqual({ only: ['get', 'idle'], connections: [1, 16], seconds: 5, orders: 20, keep: null });
  });

  it('take given values', () => {
    expect(read('--only idle --connections 8 --seconds 2.5 --orders 9 --keep /tmp/kept')).toEqual({
      only: ['idle'],
      connections: [8],
      seconds: 2.5,
      orders: 9,
      keep: '/tmp/kept',
    });
  });

  it.each([
    ['--only gets', /--only takes get, idle/],
    ['--connections 1,65', /--connections takes whole numbers from 1 to 64/],
    ['--seconds many', /--seconds takes a number/],
    ['--orders 1.5', /--orders takes a whole number/],
    ['--keep=', /--keep takes a folder/],
    ['--second 5', /--second/],
  ])('refuse %s', (text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });
});

describe('the name of a scenario', () => {
  it.each([
    ['--only get', 'comparison', '--only get'],
    ['--orders 9 --scale', 'scale', '--orders 9'],
    ['--replicas 1,2', 'replicas', '--replicas 1,2'],
    ['--replicas=1,2', 'replicas', '--replicas=1,2'],
    ['--traces', 'traces', ''],
  ])('of %s is %s, with the options %s', (text, name, rest) => {
    expect(nameOf(text.split(' '))).toEqual({ name, args: rest.split(' ').filter(Boolean) });
  });

  it('is refused when there are two', () => {
    expect(() => nameOf(['--replicas', '1', '--scale'])).toThrow(
      '--scale and --replicas cannot be measured in one run',
    );
  });
});

it.each([
  [[1, 2, 4], '1x1 1x2 2x1 2x2 4x4 1x1'],
  [[4, 1, 4], '1x1 1x4 4x1 4x4 1x1'],
  [[2], '2x2'],
])('replicas %j are measured as %s: the first two crosswise, the first again', (numbers, shapes) => {
  expect(replicaCountsOf(numbers).map(({ gateways, orders }) => `${gateways}x${orders}`)).toEqual(shapes.split(' '));
});
