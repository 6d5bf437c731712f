import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasUpdates, newer, updatesOf } from './updates.js';

describe('the updates of a list', () => {
  it.each([
    ['abc', 'abc', 0, false],
    ['abc', 'ac', 1, false],
    ['abc', 'dab', 1, false],
    ['abc', 'abcde', 2, false],
    ['abc', 'cab', 0, true],
    ['abc', 'xyz', 3, false],
    ['', 'a', 1, false],
  ])('from the rows "%s" to "%s" are %i orders, moved: %s', (shown, fresh, orders, moved) => {
    expect(updatesOf(shown.split(''), fresh.split(''))).toEqual({ orders, moved });
  });

  it('include rows with a newer version than shown', () => {
    const rows = (text: string) =>
      text.split(' ').map((row) => ({ poRef: row[0] ?? '', version: Number(row.slice(1)) }));
    expect(newer(rows('a1 b2 c3'), rows('c4 b2 a1 d9'))).toEqual(rows('c4'));
    expect(newer(rows('a2'), rows('a1'))).toEqual([]);
  });

  it('are none exactly if the page is unchanged', () => {
    const pages = fc.uniqueArray(fc.constantFrom(...'abcdef'.split('')));
    fc.assert(fc.property(pages, pages, (a, b) => expect(hasUpdates(updatesOf(a, b))).toBe(a.join('') !== b.join(''))));
  });
});
