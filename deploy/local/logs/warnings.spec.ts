import { describe, expect, it } from '@jest/globals';
import { parseLine } from './log-line.js';
import { Warnings } from './warnings.js';

const line = (level: string, msg: string, fields = {}) =>
  parseLine('gateway', JSON.stringify({ level, time: '2026-11-21T20:14:03.000Z', msg, ...fields }));
const SECOND = 1_000;

describe('the warnings shown in a terminal', () => {
  const warnings = (width = 120) =>
    new Warnings(
      (_color, text) => text,
      () => width,
    );
  const messages = (lines: string[]) =>
    lines.map((shown) => shown.slice('00:00:00.000 WARN  purchase-orders-2 '.length));

  it('are lines of level warning or above, and lines that are not from the logger', () => {
    const all = [
      line('info', 'a'),
      line('warn', 'b'),
      line('debug', 'c'),
      line('fatal', 'd'),
      parseLine('gateway', 'e'),
    ];
    expect(messages(warnings().take(all, 0))).toEqual(['b', 'd', 'e']);
  });

  it('show each kind once in ten seconds, then with the number of repetitions', () => {
    const one = warnings();
    const away = (offset: number) => line('warn', 'put off', { offset });
    expect(messages(one.take([away(1), away(2), line('error', 'lost')], 0))).toEqual(['put off offset=1', 'lost']);
    expect(one.take([away(3)], 9 * SECOND)).toEqual([]);
    expect(messages(one.take([], 10 * SECOND))).toEqual(['put off offset=3 (2 more like it)']);
    expect(messages(one.take([away(4)], 11 * SECOND))).toEqual(['put off offset=4']);
    expect(one.take([], 30 * SECOND)).toEqual([]);
  });

  it('are never wider than the terminal', () => {
    const one = warnings(60);
    const long = line('warn', 'x'.repeat(100));
    expect(one.take([long, long], 0).map(({ length }) => length)).toEqual([60]);
    expect(one.take([], 10 * SECOND)[0]).toMatch(/x… \(1 more like it\)$/);
  });
});
