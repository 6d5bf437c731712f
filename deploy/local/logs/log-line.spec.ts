import { describe, expect, it } from '@jest/globals';
import { LEVELS, type Paint, formatLine, isAtLeast, kindOf, parseLine } from './log-line.js';

const plain: Paint = (_color, text) => text;
const TIME = '2026-11-21T20:14:03.037Z';
const SHOWN = `${new Date(TIME).toLocaleTimeString('en-GB')}.037`;

const written = (fields: Record<string, unknown>, level = 'info', source = 'gateway') =>
  parseLine(source, JSON.stringify({ level, time: TIME, service: 'gateway', version: '0.1.0', ...fields }));

describe('a line of a log', () => {
  it('is shown with time, level, source, message and the relevant fields, with the request id last', () => {
    const line = written({
      requestId: 'r-1',
      traceId: 't-1',
      method: 'GET',
      status: 200,
      reason: 'a "b" c',
      msg: 'request',
    });
    expect(formatLine(line, plain)).toBe(
      `${SHOWN} INFO  gateway           request method=GET status=200 reason="a \\"b\\" c" requestId=r-1`,
    );
  });

  it('shows an error after the message, with the stack below', () => {
    const stack = 'TypeError: no such row\n    at one (file.js:1:2)\n    at two (file.js:3:4)';
    const line = written(
      { err: { type: 'TypeError', message: 'no such row', stack }, msg: 'broke', poRef: 'PO-1' },
      'error',
    );
    const place = ' '.repeat(13);
    expect(formatLine(line, plain)).toBe(
      `${SHOWN} ERROR gateway           broke: no such row poRef=PO-1\n${place}at one (file.js:1:2)\n${place}at two (file.js:3:4)`,
    );
    expect(formatLine(line, plain, 60)).toBe(`${SHOWN} ERROR gateway           broke: no such row poR…`);
    expect(formatLine(line, plain, 60)).toHaveLength(60);
  });

  it('is shown unchanged if it is not from the logger', () => {
    for (const text of ['FATAL ERROR: out of memory', '"a text"', 'null', '{"level":"info","msg":"without a time"}']) {
      expect(formatLine(parseLine('gateway-2', text), plain)).toBe(`${' '.repeat(19)}gateway-2         ${text}`);
    }
  });

  it('contains no control characters for the terminal', () => {
    expect(formatLine(written({ msg: 'a\u001b[2Jb\n', poRef: '\u009b1' }), plain)).toMatch(
      /a\\u001b\[2Jb\\u000a poRef=\\u009b1$/,
    );
    expect(formatLine(parseLine('gateway', '\u001b[2J'), plain)).toMatch(/ \\u001b\[2J$/);
  });

  it('has the color of its level', () => {
    const colored: Paint = (color, text) => `<${color} ${text}>`;
    expect(formatLine(written({ msg: 'm' }), colored)).toContain('<dim INFO >');
    expect(formatLine(written({ msg: 'm' }, 'warn'), colored)).toContain('<yellow WARN >');
    expect(formatLine(written({ msg: 'm' }, 'fatal'), colored)).toContain('<red FATAL>');
  });

  it('passes a filter if it is at least as severe, or has no level', () => {
    const passing = (level: string) => LEVELS.filter((least) => isAtLeast(written({ msg: 'm' }, level), least));
    expect(passing('trace')).toEqual(['trace']);
    expect(passing('warn')).toEqual(['trace', 'debug', 'info', 'warn']);
    expect(passing('fatal')).toEqual(LEVELS);
    expect(LEVELS.every((least) => isAtLeast(parseLine('gateway', 'at one (file.js:1:2)'), least))).toBe(true);
  });

  it('is of the same kind as lines that differ only in details', () => {
    const away = { err: { message: 'Redis does not answer' }, msg: 'put off' };
    const kind = kindOf(written({ ...away, offset: '1' }, 'warn'));
    expect(kindOf(written({ ...away, offset: '2' }, 'warn'))).toBe(kind);
    expect(kindOf(written({ ...away, offset: '1' }, 'error'))).not.toBe(kind);
    expect(kindOf(written({ ...away, err: { message: 'full' } }, 'warn'))).not.toBe(kind);
    expect(kindOf(written({ ...away, offset: '1' }, 'warn', 'gateway-2'))).not.toBe(kind);
  });
});
