import { expect, it } from '@jest/globals';
import { columnsBy } from './labels.js';

const columnOf = columnsBy({ rowHash: ['Row ID', '行标识'], qty: ['Reply Qty', '回复数量'] });

it.each([
  ['Row ID', 'rowHash'],
  [' row  id\n', 'rowHash'],
  ['\ufeffROWID', 'rowHash'],
  ['Ｒｏｗ　ＩＤ', 'rowHash'],
  ['回复 数量', 'qty'],
  ['Row IDs', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the label %j names the column %s', (label, column) => {
  expect(columnOf(label)).toBe(column);
});
