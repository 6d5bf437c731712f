import { describe, expect, test } from '@jest/globals';
import { linkHeader } from './link-header.js';

const relations = (header: string) =>
  Object.fromEntries(
    header.split(', ').map((link) => {
      const [, url, relation] = /^<(.+)>; rel="(.+)"$/.exec(link) ?? [];
      return [relation, url];
    }),
  );

describe('the Link header', () => {
  test('of a middle page has all four links and keeps the filters', () => {
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
  ])('has no more links than proxies accept, with %d PO numbers', (count, expected) => {
    const poRef = Array.from({ length: count }, (_, number) => `PO-${'0'.repeat(20)}${number}`);
    const header = linkHeader('/api/purchase-orders', { poRef, limit: 2, page: 2 }, 3);
    expect(header === '' ? [] : Object.keys(relations(header))).toEqual(expected);
  });
  test('of an empty list has the links of one page', () => {
    expect(Object.keys(relations(linkHeader('/p', { limit: 10, page: 1 }, 0)))).toEqual(['first', 'last']);
  });
  test('past the end leads back to the last page and has no next page', () => {
    const links = relations(linkHeader('/p', { limit: 10, page: 9 }, 3));
    expect(links.prev).toBe('/p?limit=10&page=3');
    expect(links.next).toBeUndefined();
  });
});
