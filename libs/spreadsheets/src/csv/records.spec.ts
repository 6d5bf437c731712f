import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineLength, MAX_RECORD, delimiterOf, escapeGuards, guardFormulas, unguardFormulas } from './records.js';

const labelsOf = (head: string, delimiter: string) => head.split('\n')[0]?.split(delimiter);
const columnOf = (label: string) => (/^[ABC]$/.test(label) ? label : undefined);

it.each([
  ['A,B,C', ','],
  ['A;B;C', ';'],
  ['A\tB\tC', '\t'],
  ['A;B,C;x\ny,y,y,y', ';'],
  ['x;y', ','],
  ['', ','],
])('the delimiter of %j is %j', (text, delimiter) => {
  expect(delimiterOf(text, columnOf, labelsOf)).toBe(delimiter);
});

it('a delimiter is not chosen if the labels cannot be parsed with it', () => {
  const failing = (head: string, delimiter: string) => {
    if (delimiter === ',') throw new Error('an open quote');
    return labelsOf(head, delimiter);
  };
  expect(delimiterOf('A;B', columnOf, failing)).toBe(';');
});

it.each([
  ["'=1", '=1'],
  ["'-", '-'],
  ["''=1", "''=1"],
  ["'x", "'x"],
  ["x'=", "x'="],
  ["'＝1", '＝1'],
  ["x;'=1;'＋1", 'x;=1;＋1'],
  ["'\t'=1", '\t=1'],
  ["x\r\n'@", 'x\r\n@'],
  ["x;'y", "x;'y"],
])('the cell %j is unguarded to %j', (cell, text) => {
  expect(unguardFormulas(cell)).toBe(text);
});

it('a guarded text is unguarded to itself, unless it looked guarded before', () => {
  const unit = fc.constantFrom("'", '\t', '\r', '\n', ';', '=', '-', '\uff1d', '\uff20', 'x');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      fc.pre(unguardFormulas(text) === text);
      expect(unguardFormulas(guardFormulas(text))).toBe(text);
    }),
  );
});

it.each(["'=1", "x;'=1", "'\t'-", "''=1", "x\n'\uff1d"])('the escaped form of %j is not unguarded', (text) => {
  expect(unguardFormulas(escapeGuards(text))).toBe(
    text.replaceAll(/'+/g, (quotes) => (quotes === "'" ? "''" : quotes)),
  );
});

it.each([
  ['a line of the maximum length', [MAX_RECORD / 2, MAX_RECORD / 2], false],
  ['one character more', [MAX_RECORD / 2, MAX_RECORD / 2, 1], true],
  ['two lines of the maximum length', [MAX_RECORD, '\n', MAX_RECORD], false],
  ['too long after a carriage return', [MAX_RECORD, 'x\rx', MAX_RECORD], true],
])('a too long line is detected with the slice that exceeds the limit: %s', (_what, slices, expected) => {
  const lines = new LineLength();
  const results = slices.map((slice) => lines.isTooLongWith(typeof slice === 'string' ? slice : ','.repeat(slice)));
  expect(results).toEqual(slices.map((_slice, at) => expected && at === slices.length - 1));
});
