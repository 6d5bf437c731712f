import { describe, expect, it } from '@jest/globals';
import { readStreamsOptions } from './options.js';

describe('the options of a run with live streams', () => {
  it('are five hundred of them and ten acts of each kind a second if not told otherwise', () => {
    expect(readStreamsOptions(['--streams'])).toEqual({ open: 500, rate: 10, seconds: 20 });
  });

  it('take other numbers', () => {
    const args = '--streams --open 2000 --rate 50 --seconds 60'.split(' ');
    expect(readStreamsOptions(args)).toEqual({ open: 2_000, rate: 50, seconds: 60 });
  });

  it.each([
    ['--open', '24', /--open takes a whole number from 25 to 20000, not "24"/],
    ['--rate', '0', /--rate takes a whole number from 1 to 200/],
    ['--seconds', '1.5', /--seconds takes/],
    ['--orders', '2', /--orders/],
  ])('refuse %s %s', (option, value, reason) => {
    expect(() => readStreamsOptions([option, value])).toThrow(reason);
  });
});
