import { describe, expect, it } from '@jest/globals';
import { MAX_BYTES, acceptanceOf } from './accept.js';

describe('acceptanceOf', () => {
  it.each([
    ['lines.csv', 10, 'csv'],
    ['订单.XLSX', MAX_BYTES, 'xlsx'],
    ['lines.xlsx', MAX_BYTES + 1, { fault: 'tooLarge' }],
    ['lines.csv', 0, { fault: 'empty' }],
    ['lines.xls', 10, { fault: 'olderKind' }],
    ['lines.ods', 10, { fault: 'olderKind' }],
    ['lines.pdf', 10, { fault: 'wrongKind' }],
    ['csv', 10, { fault: 'wrongKind' }],
  ])('classifies %s of %d bytes', (name, size, expected) => {
    expect(acceptanceOf([{ name, size }])).toEqual(expected);
  });

  it('accepts exactly one file', () => {
    const file = { name: 'a.csv', size: 1 };
    expect([acceptanceOf([file, file]), acceptanceOf([])]).toEqual([{ fault: 'several' }, { fault: 'wrongKind' }]);
  });
});
