import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNews, newsOf } from './news.js';

describe('what asking again would change', () => {
  it.each([
    ['abc', 'abc', 0, false],
    ['abc', 'ac', 1, false],
    ['abc', 'dab', 1, false],
    ['abc', 'abcde', 2, false],
    ['abc', 'cab', 0, true],
    ['abc', 'xyz', 3, false],
    ['', 'a', 1, false],
  ])('%s is now %s', (shown, fresh, orders, moved) => {
    expect(newsOf(shown.split(''), fresh.split(''))).toEqual({ orders, moved });
  });

  it('is nothing exactly where the page is as it was', () => {
    const pages = fc.uniqueArray(fc.constantFrom(...'abcdef'.split('')));
    fc.assert(fc.property(pages, pages, (a, b) => expect(isNews(newsOf(a, b))).toBe(a.join('') !== b.join(''))));
  });
});
