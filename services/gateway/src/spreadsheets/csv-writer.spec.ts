import { expect, it } from '@jest/globals';
import { guardFormulas } from '@po/spreadsheets';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type Value } from './columns.js';
import { csvOf } from './csv-writer.js';

it.each<[Value, string]>([
  [null, ''],
  [-5, '-5'],
  [0.0001, '0.0001'],
  [9_999_999_999.9999, '9999999999.9999'],
  ['plain', 'plain'],
  ['海军蓝', '海军蓝'],
  ['a,b', '"a,b"'],
  ['5" pipe', '"5"" pipe"'],
  ['two\nlines', '"two\nlines"'],
  [' spaces ', ' spaces '],
  ['=1+1', "'=1+1"],
  ['+86', "'+86"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ["'=1", "'=1"],
  ['a;=1;b', "a;'=1;b"],
  ['a; =1, =2 a-b', '"a; =1, =2 a-b"'],
])('csvOf writes %j as %s', (value, cell) => {
  expect(csvOf([[value, 1]], ['text', 'number'])).toBe(`${cell},1\r\n`);
});

it('csvOf puts no quote before a date', () => {
  expect(csvOf([['2026-01-05']], ['date'])).toBe('2026-01-05\r\n');
});

const units = ['"', ',', '\t', '\r', '\n', ';', '=', '-', '\uff1d', '\uff0b', '\uff0d', '\uff20', 'x'];
const row = fc.array(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...units) })), {
  minLength: 2,
  maxLength: 2,
});
const parsed = (written: string) => parse(written, { record_delimiter: '\r\n' });

it('csvOf writes rows that other programs read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(parsed(csvOf(rows, ['text', 'text']))).toEqual(rows.map((texts) => texts.map(guardFormulas)));
    }),
  );
});

it('csvOf writes no cell that starts like a formula, wherever a program splits it', () => {
  fc.assert(
    fc.property(row, (texts) => {
      const cells = parsed(csvOf([texts], ['text', 'text'])).flat();
      expect(cells.flatMap((cell) => cell.split(/[;\t\r\n]/)).filter((part) => /^[=+\-@＝＋－＠]/.test(part))).toEqual(
        [],
      );
    }),
  );
});
