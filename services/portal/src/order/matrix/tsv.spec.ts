import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readTsv, writeTsv } from './tsv.js';

describe('spreadsheet clipboard text', () => {
  it.each([
    ['one value', '12', [['12']]],
    ['a row with a final line break', '1\t2\r\n', [['1', '2']]],
    [
      'blank cells',
      '1\t\t3\n\t\t\n',
      [
        ['1', '', '3'],
        ['', '', ''],
      ],
    ],
    ['a line break and a quote in a cell', '"a\n""b"""\tc\n', [['a\n"b"', 'c']]],
    ['literal quotes', '12" tape\t"x" y\t"open', [['12" tape', '"x" y', '"open']]],
    ['a blank line', '1\n\n2', [['1'], [''], ['2']]],
    ['no content', '', [['']]],
  ])('is parsed with %s', (_name, text, cells) => {
    expect(readTsv(text)).toEqual(cells);
  });

  it('is read back as it was written', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('', '"', '\t', 'a\nb', '""', '"a"\r\n', '1,234'));
    const rows = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      );
    fc.assert(fc.property(rows, (cells) => expect(readTsv(writeTsv(cells))).toEqual(cells)));
  });
});
