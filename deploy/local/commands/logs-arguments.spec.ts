import { describe, expect, it } from '@jest/globals';
import { readLogsArguments } from './logs-arguments.js';

describe('the arguments of "npm run logs"', () => {
  it('may be omitted, to follow the last lines of every service', () => {
    expect(readLogsArguments([])).toEqual({ names: [], level: 'trace', sinceStart: false, follow: true });
  });

  it('select logs, level, start and whether to follow, in any order', () => {
    const expected = { names: ['gateway', 'dashboard-2'], level: 'warn', sinceStart: true, follow: false };
    expect(readLogsArguments(['gateway', '--level', 'warn', '--since-start', 'dashboard-2', '--no-follow'])).toEqual(
      expected,
    );
  });

  it.each([
    [['--level', 'loud'], '"loud" is not a level'],
    [['--follows'], "Unknown option '--follows'"],
  ])('are refused with the usage if invalid: %j', (args, reason) => {
    expect(() => readLogsArguments(args)).toThrow(reason);
    expect(() => readLogsArguments(args)).toThrow(/\nusage: npm run logs -- \[name …\] \[--level warn\]/);
  });
});
