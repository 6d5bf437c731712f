import { describe, expect, test } from '@jest/globals';
import { linkHeader } from './link-header.js';

const relations = (header: string) =>
  Object.fromEntries(
    header.split(', ').map((link) => {
      const [, url, relation] = /^<(.+)>; rel="(.+)"$/.exec(link) ?? [];
      return [relation, url];
    }),
  );

describe('Link header', () => {
  test('a middle page has all four, with the filters kept', () => {
    const links = relations(
      linkHeader('/api/purchase-orders', { status: ['New', '修订中'], search: 'a&b', limit: 10, page: 2 }, 3),
    );
    const at = (page: number) =>
      `/api/purchase-orders?status=New%2C%E4%BF%AE%E8%AE%A2%E4%B8%AD&search=a%26b&limit=10&page=${page}`;
    expect(links).toEqual({ first: at(1), prev: at(1), next: at(3), last: at(3) });
  });
  test.each([
    [5, ['first', 'prev', 'next', 'last']],
    [40, ['prev', 'next']],
    [200, []],
  ])('has no more than proxies take, with %d numbers', (count, expected) => {
    const poRef = Array.from({ length: count }, (_, number) => `PO-${'0'.repeat(20)}${number}`);
    const header = linkHeader('/api/purchase-orders', { poRef, limit: 2, page: 2 }, 3);
    expect(header === '' ? [] : Object.keys(relations(header))).toEqual(expected);
  });
  test('nothing found: one page', () => {
    expect(Object.keys(relations(linkHeader('/p', { limit: 10, page: 1 }, 0)))).toEqual(['first', 'last']);
  });
  test('past the end: back to the last page, nothing next', () => {
    const links = relations(linkHeader('/p', { limit: 10, page: 9 }, 3));
    expect(links.prev).toBe('/p?limit=10&page=3');
    expect(links.next).toBeUndefined();
  });
});
