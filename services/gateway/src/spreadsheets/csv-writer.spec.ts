import { expect, it } from '@jest/globals';
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
  ['-S', "'-S"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['=A,"B"', '"\'=A,""B"""'],
  ["'=1", "'=1"],
  ['＝1', '＝1'],
])('%j is %s', (value, cell) => {
  expect(csvOf([[value, 1]], ['text', 'number'])).toBe(`${cell},1\r\n`);
});

it('puts no quote before a date', () => {
  expect(csvOf([['2026-01-05']], ['date'])).toBe('2026-01-05\r\n');
});

it('is read by others as it was meant', () => {
  const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ';', '=', "'", 'x') }));
  fc.assert(
    fc.property(fc.array(fc.array(value, { minLength: 2, maxLength: 2 })), (rows) => {
      const written = csvOf(rows, ['text', 'text']);
      const read = parse(written, { record_delimiter: '\r\n' });
      expect(read).toEqual(rows.map((row) => row.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text))));
    }),
  );
});
