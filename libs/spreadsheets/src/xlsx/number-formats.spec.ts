import { expect, it } from '@jest/globals';
import { CellFormats } from './number-formats.js';

it.each([
  ['General', 'number'],
  ['0.00', 'number'],
  ['0.00E+00', 'number'],
  ['# ?/?', 'number'],
  ['@', 'number'],
  ['[Red][<=100]0;[$USD-409] 0', 'number'],
  ['0 "pcs, 100% days"', 'number'],
  ['0\\d\\%', 'number'],
  ['_d*d_-#,##0_)', 'number'],
  ['yyyy\\-mm\\-dd', 'date'],
  ['[$-409]d/mmm;@', 'date'],
  ['D" day"', 'date'],
  ['[h]:mm', 'date'],
  ['[ss]', 'date'],
  ['"', 'number'],
  ['[d', 'number'],
  ['0%', 'percentage'],
  ['[Red]0.00%;0', 'percentage'],
])('the format %j shows a %s', (formatCode, kind) => {
  const formats = new CellFormats();
  formats.open('numFmt', { numFmtId: '164', formatCode });
  formats.open('cellXfs', {});
  formats.open('xf', { numFmtId: '164' });
  expect(formats.kinds).toEqual([kind]);
});

it('built-in formats need no code, but a code in the file takes precedence', () => {
  const formats = new CellFormats();
  formats.open('numFmt', { numFmtId: '27', formatCode: '0' });
  formats.open('xf', { numFmtId: '14' });
  formats.open('cellXfs', {});
  const ids = [undefined, '0', '9', '10', '13', '14', '22', '23', '27', '28', '37', '45', '48', '49', '58', '59'];
  for (const numFmtId of ids) formats.open('xf', numFmtId === undefined ? {} : { numFmtId });
  const kinds = ids.map((id, at) => [id, formats.kinds[at]]);
  const having = (kind: string) => kinds.filter(([, each]) => each === kind).map(([id]) => id);
  expect(having('percentage')).toEqual(['9', '10']);
  expect(having('date')).toEqual(['14', '22', '28', '45', '58']);
  expect(formats.enough()).toBe(false);
  formats.close('cellXfs');
  expect(formats.enough()).toBe(true);
});
