import { describe, expect, it } from '@jest/globals';
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import fc from 'fast-check';
import { DUE_RULES } from '../../components/order/next-due.js';
import {
  FLAGS,
  type OrdersSearch,
  PAGE_SIZES,
  SORT_FIELDS,
  changed,
  isEmpty,
  isFiltered,
  pastedPoRefs,
  queryOf,
  readImportSearch,
  readOrdersSearch,
  sortedBy,
  toggled,
  unfiltered,
} from './search.js';

const words = fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' });
const searches = fc
  .record(
    {
      status: fc.array(fc.oneof(words, fc.constantFrom('New', 'In Revision'))),
      vendor: words,
      buyer: words,
      poRef: fc.array(fc.oneof(fc.integer({ min: 0 }).map(String), fc.constantFrom('po-1', 'PO-1', 'a/b', 'X'))),
      due: fc.subarray(DUE_RULES),
      view: fc.oneof(words, fc.constant('all')),
      search: fc.oneof(words, fc.integer().map(String), fc.constantFrom('true', 'null', '[1]', '"', '%', '&a=b')),
      ...Object.fromEntries(FLAGS.map((flag) => [flag, fc.boolean()])),
      sortField: fc.constantFrom(...SORT_FIELDS),
      sortDir: fc.constantFrom('asc', 'desc'),
      page: fc.integer({ min: -1, max: 1000 }),
      limit: fc.constantFrom(...PAGE_SIZES, 7),
    },
    { requiredKeys: [] },
  )
  .map((raw) => readOrdersSearch(raw));

describe('the search parameters of the list', () => {
  it.each([
    [{}, {}],
    [{ status: 'New' }, { status: ['New'] }],
    [{ status: 'New, In Revision,,New' }, { status: ['New', 'In Revision'] }],
    [{ status: ['New', '', 3, 'Shipped'] }, { status: ['New', 'Shipped'] }],
    [{ due: 'REPLY_DUE, NO_RULE' }, { due: ['REPLY_DUE'] }],
    [{ due: ['DELIVERY_DUE', 'APPROVAL_DUE'] }, { due: ['APPROVAL_DUE', 'DELIVERY_DUE'] }],
    [{ due: 'reply_due' }, {}],
    [{ search: '  TS-100 ' }, { search: 'TS-100' }],
    [{ search: 4500 }, { search: '4500' }],
    [{ search: 'x'.repeat(200) }, { search: 'x'.repeat(100) }],
    [{ vendor: 'ACME' }, { vendor: 'ACME' }],
    [{ buyer: ' Dana@example.com ' }, { buyer: 'Dana@example.com' }],
    [{ poRef: 'po-1, PO-2,,PO-1,a/b' }, { poRef: ['PO-1', 'PO-2'] }],
    [{ poRef: 4500018208 }, { poRef: ['4500018208'] }],
    [{ poRef: ['/', {}] }, {}],
    [
      { poRef: Array.from({ length: 300 }, (_, index) => index) },
      { poRef: Array.from({ length: 200 }, (_, index) => `${index}`) },
    ],
    [
      { overdue: true, hasPendingChanges: 'false', hasSourceConflict: 'yes' },
      { overdue: true, hasPendingChanges: false },
    ],
    [
      { sortField: 'amount', sortDir: 'desc' },
      { sortField: 'amount', sortDir: 'desc' },
    ],
    [{ sortField: 'amount', sortDir: 'asc' }, { sortField: 'amount' }],
    [{ sortField: 'colour', sortDir: 'desc' }, {}],
    [
      { page: 3, limit: '100' },
      { page: 3, limit: 100 },
    ],
    [{ page: '2', limit: 50 }, { page: 2 }],
    [{ page: 1, limit: 1000 }, {}],
    [{ page: -1 }, {}],
    [
      { view: 'v-1', status: 'New' },
      { status: ['New'], view: 'v-1' },
    ],
    [{ view: 'all' }, { view: 'all' }],
    [{ view: 'all', page: 2 }, { page: 2 }],
    [{ page: 'x', status: null, search: {}, vendor: [] }, {}],
  ])('are read from %j as %j', (raw, meant) => {
    expect(readOrdersSearch(raw)).toEqual(meant);
  });

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(searches, (search) => {
        expect(readOrdersSearch(defaultParseSearch(defaultStringifySearch(search)))).toEqual(search);
      }),
    );
  });

  it('become a query of the API', () => {
    expect(queryOf({ status: ['New'] })).toEqual({ status: ['New'], page: 1, limit: 50 });
    expect(queryOf({ view: 'v-1', page: 3, limit: 100, overdue: true })).toEqual({
      page: 3,
      limit: 100,
      overdue: true,
    });
  });
});

describe('the order that the import page is for', () => {
  it.each([
    [{ order: 'po-1' }, { order: 'PO-1' }],
    [{ order: 4500018208 }, { order: '4500018208' }],
    [{ order: '' }, {}],
    [{ order: ['PO-1'] }, {}],
    [{}, {}],
  ])('is read from %j', (raw, read) => {
    expect(readImportSearch(raw)).toEqual(read);
  });
});

describe('pasted PO numbers', () => {
  it.each([
    ['po-1\r\nPO-2\r\n', ['PO-1', 'PO-2']],
    ['4500018208\t4500018209', ['4500018208', '4500018209']],
    ['PO-1; PO-2；PO-1', ['PO-1', 'PO-2']],
    ['PO-1\n', []],
    ['32, 34', []],
    ['PO-1\nsee the mail of PO-2', []],
  ])('are read from %j', (text, read) => {
    expect(pastedPoRefs(text)).toEqual(read);
  });
});

describe('a change of the search parameters', () => {
  const search: OrdersSearch = { status: ['New'], sortField: 'amount', page: 3, limit: 100 };

  it('returns to the first page and keeps the other parameters', () => {
    expect(changed(search, { vendor: 'ACME' })).toEqual({
      status: ['New'],
      sortField: 'amount',
      limit: 100,
      vendor: 'ACME',
    });
    expect(changed(search, { status: undefined, page: 2 })).toEqual({ sortField: 'amount', limit: 100, page: 2 });
  });

  it('can remove all filters, and keeps sorting and page size', () => {
    fc.assert(fc.property(searches, (any) => expect(isFiltered(unfiltered(any))).toBe(false)));
    expect(unfiltered(search)).toEqual({ sortField: 'amount', limit: 100 });
    expect([isFiltered(search), isFiltered({ overdue: false }), isFiltered({ page: 2 })]).toEqual([true, true, false]);
    expect([isFiltered({ buyer: 'me' }), isFiltered({ poRef: ['A-1'] }), isFiltered({ view: 'v-1' })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('never leaves a URL that would open the default view, and keeps the open view', () => {
    expect(changed({ status: ['New'] }, { status: undefined })).toEqual({ view: 'all' });
    expect(changed({ view: 'all' }, { status: ['New'] })).toEqual({ status: ['New'] });
    expect(changed({ status: ['New'], view: 'v-1' }, { status: undefined })).toEqual({ view: 'v-1' });
    expect(unfiltered({ status: ['New'], view: 'v-1' })).toEqual({ view: 'all' });
    expect(isEmpty({})).toBe(true);
    fc.assert(fc.property(searches, (any) => expect(isEmpty(changed(any, { status: undefined }))).toBe(false)));
  });

  it('sorts ascending, then descending, then not at all', () => {
    const up = sortedBy({ page: 2 }, 'vendor');
    const down = sortedBy(up, 'vendor');
    expect([up, down, sortedBy(down, 'vendor')]).toEqual([
      { sortField: 'vendor' },
      { sortField: 'vendor', sortDir: 'desc' },
      { view: 'all' },
    ]);
    expect(sortedBy(down, 'amount')).toEqual({ sortField: 'amount' });
  });

  it('adds a status, and removes it again', () => {
    fc.assert(
      fc.property(searches, (any) => {
        const without = changed(any, { status: any.status?.filter((one) => one !== 'Shipped') });
        expect(toggled(toggled(without, 'status', 'Shipped'), 'status', 'Shipped')).toEqual(without);
      }),
    );
  });
});
