import { describe, expect, it } from '@jest/globals';
import { queryOf, readOrdersSearch } from './search.js';

describe('the address of the list', () => {
  it.each([
    [{}, {}],
    [{ status: 'New' }, { status: ['New'] }],
    [{ status: ['New', '', 3, 'Shipped'] }, { status: ['New', 'Shipped'] }],
    [{ search: '  TS-100 ' }, { search: 'TS-100' }],
    [{ search: 4500 }, { search: '4500' }],
    [{ search: 'x'.repeat(200) }, { search: 'x'.repeat(100) }],
    [{ page: 3 }, { page: 3 }],
    [{ page: '2' }, { page: 2 }],
    [{ page: 1 }, {}],
    [{ page: -1 }, {}],
    [{ page: 'x', status: null, search: {} }, {}],
  ])('%j means %j', (raw, meant) => {
    expect(readOrdersSearch(raw)).toEqual(meant);
  });

  it('is a question to the API', () => {
    expect(queryOf({ status: ['New'] })).toEqual({ status: ['New'], page: 1, limit: 50 });
    expect(queryOf({ page: 3 })).toEqual({ page: 3, limit: 50 });
  });
});
