import { describe, expect, it } from '@jest/globals';
import { configurationsOf } from './configurations.js';
import { readReplicasOptions } from './options.js';

describe('the options of a run with replicas', () => {
  it('are one, two and four of two thousand orders if not told otherwise', () => {
    expect(readReplicasOptions([])).toEqual({ replicas: [1, 2, 4], orders: 2_000, seconds: 10, connections: 64 });
  });

  it('take numbers of replicas in any order, and each once', () => {
    const args = '--replicas 4,1,4 --orders 256 --seconds 3 --connections 8'.split(' ');
    expect(readReplicasOptions(args)).toEqual({ replicas: [1, 4], orders: 256, seconds: 3, connections: 8 });
  });

  it.each([
    ['--replicas', '1,0', /--replicas takes whole numbers from 1 to 12, separated by commas, not "1,0"/],
    ['--replicas', '1,13', /--replicas takes/],
    ['--replicas', 'two', /--replicas takes/],
    ['--orders', '255', /--orders takes a whole number from 256 to 99999, not "255"/],
    ['--seconds', '0', /--seconds takes/],
    ['--connections', '1.5', /--connections takes/],
    ['--minutes', '2', /--minutes/],
  ])('refuse %s %s', (option, value, reason) => {
    expect(() => readReplicasOptions([option, value])).toThrow(reason);
  });
});

describe('the configurations', () => {
  const shown = (replicas: readonly number[]) =>
    configurationsOf(replicas).map(({ gateways, orders }) => `${gateways}x${orders}`);

  it('cross the first two numbers, and end with the first again', () => {
    expect(shown([1, 2, 4])).toEqual(['1x1', '1x2', '2x1', '2x2', '4x4', '1x1']);
    expect(shown([1, 2])).toEqual(['1x1', '1x2', '2x1', '2x2', '1x1']);
  });

  it('are a single one of a single number', () => {
    expect(shown([2])).toEqual(['2x2']);
  });
});
