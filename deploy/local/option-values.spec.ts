import { describe, expect, it } from '@jest/globals';
import { argumentsOf, choicesOf, numberOf, wholeNumberOf, wholeNumbersOf, withSplitOptions } from './option-values.js';

const TEN = { from: 1, to: 10 };

describe('the value of an option', () => {
  it('is a number, an integer or a list, with an inclusive range', () => {
    expect([numberOf('x', '1', TEN), numberOf('x', '2.5', TEN), wholeNumberOf('x', '10', TEN)]).toEqual([1, 2.5, 10]);
    expect(wholeNumbersOf('x', '3,1,3', TEN)).toEqual([3, 1, 3]);
  });

  it('is a selection of the choices, in their order', () => {
    expect(choicesOf('x', 'c,a,c', ['a', 'b', 'c'])).toEqual(['a', 'c']);
  });

  it('may follow a "=", while the options of other programs stay as they are', () => {
    const args = ['--seed=42', '--only=a=b', '--seeds=1', '-t=x', '--seed', '7', '--seeds', 'seed=1'];
    const split = ['--seed', '42', '--only', 'a=b', '--seeds=1', '-t=x', '--seed', '7', '--seeds', 'seed=1'];
    expect(withSplitOptions(args, ['--seed', '--only'])).toEqual(split);
  });

  it.each<[() => unknown, string]>([
    [() => numberOf('x', '0.9', TEN), '--x takes a number from 1 to 10, not "0.9"'],
    [() => numberOf('x', 'many', TEN), '--x takes a number from 1 to 10, not "many"'],
    [() => wholeNumberOf('x', '1.5', TEN), '--x takes a whole number from 1 to 10, not "1.5"'],
    [() => wholeNumberOf('x', '5,6', TEN), '--x takes a whole number from 1 to 10, not "5,6"'],
    [() => wholeNumbersOf('x', '1,11', TEN), '--x takes whole numbers from 1 to 10, separated by commas, not "1,11"'],
    [() => wholeNumbersOf('x', '', TEN), '--x takes whole numbers from 1 to 10, separated by commas, not ""'],
    [
      () => argumentsOf({ args: ['--y'], options: { x: { type: 'string' } } }),
      "Unknown option '--y': the options are --x",
    ],
    [() => argumentsOf({ args: ['--y'] }), "Unknown option '--y': there are no options"],
    [() => choicesOf('x', 'a,d', ['a', 'b']), '--x takes a, b, separated by commas, not "d"'],
  ])('is refused with the allowed values (%#)', (read, sentence) => {
    expect(read).toThrow(sentence);
  });
});
