import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.js';

describe('the options of the benchmark', () => {
  it('measure everything when there are none', () => {
    expect(readOptions([])).toEqual({
      parts: ['get', 'transition', 'events', 'import', 'idle'],
      connections: [1, 16, 64],
      seconds: 5,
    });
  });

  it('choose parts, connections and seconds', () => {
    expect(readOptions(['--only', 'idle,get', '--connections', '64', '--seconds', '20'])).toEqual({
      parts: ['get', 'idle'],
      connections: [64],
      seconds: 20,
    });
  });

  it.each([
    ['--only', 'gets'],
    ['--connections', '0'],
    ['--connections', '257'],
    ['--connections', 'many'],
    ['--seconds', '0'],
    ['--second', '5'],
  ])('%s %s is refused', (option, value) => {
    expect(() => readOptions([option, value])).toThrow(option);
  });
});
