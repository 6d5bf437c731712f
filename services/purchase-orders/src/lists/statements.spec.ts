import { expect, test } from '@jest/globals';
import type { ListQuery } from '@po/contracts';
import { countQuery, foundPageQuery, idsQuery, pageQuery, vendorNamesQuery, vendorsPageQuery } from './statements.js';

const HOSTILE = "'; DROP TABLE purchase_orders; --";
const SLICE = { offset: 0, limit: 1 };

const queries = (query: Partial<ListQuery>, vendorCode: string | null) => {
  const listing = { query: { limit: 1, page: 1, ...query }, vendorCode, now: new Date() };
  return [
    foundPageQuery(listing, query.search ?? '', SLICE),
    pageQuery(listing, SLICE, 9),
    countQuery(listing),
    idsQuery(listing, 1),
    vendorNamesQuery(listing),
    vendorsPageQuery(listing, [HOSTILE], SLICE),
  ];
};

test('no value of a query becomes SQL text', () => {
  for (const { statement, values } of queries({ search: HOSTILE, vendor: HOSTILE, status: [HOSTILE] }, HOSTILE)) {
    expect(statement.text).not.toContain('DROP');
    expect(values.map(String)).toContain(HOSTILE);
  }
});

test('a backslash, percent sign or underscore in a search matches literally', () => {
  for (const { values } of queries({ search: '50%_\\' }, null)) expect(values.map(String)).toContain('%50\\%\\_\\\\%');
});
