import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DUE_RULES } from '../../components/order/next-due.js';
import { DEFAULT_COLUMNS } from '../columns/columns.js';
import { builtInViews, waitsForVendor } from './built-in-views.js';
import { sampleView } from './sample-view.js';
import { addressOf, isModified, isShown, ordered, readIds, searchOf } from './views.js';

describe('a view', () => {
  it('is shown if filters and sorting match, on any page', () => {
    expect(isShown({ status: ['New', 'Shipped'] }, { page: 4, limit: 100, status: ['Shipped', 'New'] })).toBe(true);
    expect(isShown({}, { page: 2 })).toBe(true);
    expect(isShown({}, { view: 'all' })).toBe(true);
    expect(isShown({ status: ['New'] }, { status: ['New'], overdue: true })).toBe(false);
    expect(isShown({ sortField: 'amount' }, { sortField: 'amount', sortDir: 'desc' })).toBe(false);
  });

  it('is opened with the current page size', () => {
    expect(addressOf({ status: ['New'] }, { limit: 100, page: 3 })).toEqual({ status: ['New'], limit: 100 });
    expect(addressOf({}, { limit: 100 })).toEqual({ limit: 100 });
    expect(addressOf({}, {})).toEqual({ view: 'all' });
  });

  it('that is saved has the stored parameters, without page and unknown ones', () => {
    const query = { status: 'New,Shipped', due: 'REPLY_DUE', overdue: 'false', buyer: 'me', poRef: 'A-1,A-2' };
    expect(searchOf(sampleView({ id: 'v1', query: { ...query, page: '3', limit: '200', newer: 'x' } }))).toEqual({
      status: ['New', 'Shipped'],
      due: ['REPLY_DUE'],
      overdue: false,
      buyer: 'me',
      poRef: ['A-1', 'A-2'],
      view: 'v1',
    });
  });

  it('is modified by other filters, other sorting or, if it has columns, other columns', () => {
    const view = sampleView({ query: { vendor: 'ACME' }, columns: ['poNumber', 'status', 'unknown'] });
    const columns = ['poNumber', 'status'];
    expect(isModified(view, { vendor: 'ACME', view: view.id, page: 2 }, columns)).toBe(false);
    expect(isModified(view, { vendor: 'BOLT', view: view.id }, columns)).toBe(true);
    expect(isModified(view, { vendor: 'ACME', sortField: 'amount' }, columns)).toBe(true);
    expect(isModified(view, { vendor: 'ACME' }, DEFAULT_COLUMNS)).toBe(true);
    expect(isModified({ ...view, columns: null }, { vendor: 'ACME' }, DEFAULT_COLUMNS)).toBe(false);
  });
});

describe('the order of saved views', () => {
  const views = ['a', 'b', 'c', 'd'].map((id) => sampleView({ id }));
  const ids = (some: typeof views) => some.map(({ id }) => id).join('');

  it("is the user's order, followed by views without a place", () => {
    expect(ids(ordered(views, ['c', 'gone', 'a']))).toBe('cabd');
    expect(ids(ordered(views, []))).toBe('abcd');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'x')), (some) => {
        expect(
          Array.from(ids(ordered(views, some)))
            .toSorted()
            .join(''),
        ).toBe('abcd');
      }),
    );
  });

  it('is read back as stored, without invalid ids', () => {
    expect(readIds(JSON.stringify(['a', 3, null, 'b']))).toEqual(['a', 'b']);
  });
});

describe('the built-in views', () => {
  it.each([
    ['VENDOR', ['New', 'In Revision']],
    ['BUYER', ['Pending Approval']],
    ['ADMIN', ['Pending Approval']],
    ['VIEWER', undefined],
    [undefined, undefined],
  ])('show a %s in "waiting" the statuses %j', (role, statuses) => {
    expect(new Map(builtInViews(role)).get('waiting')?.status).toEqual(statuses);
  });

  it.each([
    ['VENDOR', 'In Revision', true],
    ['VENDOR', 'Pending Approval', false],
    ['BUYER', 'Pending Approval', false],
    [undefined, 'New', false],
  ])('count an order as waiting for the vendor, for role %s and status %s: %s', (role, status, is) => {
    expect(waitsForVendor(role, { status })).toBe(is);
  });

  it.each([
    ['BUYER', 'me'],
    ['ADMIN', 'me'],
    ['VIEWER', 'me'],
    ['VENDOR', undefined],
    [undefined, undefined],
  ])('show a %s in "my orders" the orders of the buyer %j', (role, buyer) => {
    expect(new Map(builtInViews(role)).get('mine')?.buyer).toBe(buyer);
  });

  it("show in 'due' the orders of all rules of the user's side", () => {
    const rulesOf = (role: string) => new Map(builtInViews(role)).get('due')?.due ?? [];
    expect(rulesOf('VENDOR')).toEqual(['REPLY_DUE', 'EX_FACTORY_SOON', 'EX_FACTORY_OVERDUE']);
    expect(rulesOf('BUYER')).toEqual(['APPROVAL_DUE', 'EX_FACTORY_OVERDUE', 'DELIVERY_DUE']);
    expect(new Set([...rulesOf('VENDOR'), ...rulesOf('BUYER')])).toEqual(new Set(DUE_RULES));
    expect(new Map(builtInViews(undefined)).has('due')).toBe(false);
  });
});
