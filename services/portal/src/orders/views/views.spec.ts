import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type View,
  divided,
  givenViews,
  isShown,
  readViews,
  removed,
  renamed,
  restored,
  saved,
  waitsForVendor,
} from './views.js';

const views: View[] = [
  { name: 'Spring', search: { vendor: 'ACME' } },
  { name: 'Big', search: { sortField: 'amount', sortDir: 'desc' } },
];

describe('a saved view', () => {
  it('is shown by its filters and order, on every page', () => {
    expect(isShown({ status: ['New', 'Shipped'] }, { page: 4, limit: 100, status: ['Shipped', 'New'] })).toBe(true);
    expect(isShown({}, { page: 2 })).toBe(true);
    expect(isShown({ status: ['New'] }, { status: ['New'], overdue: true })).toBe(false);
    expect(isShown({ sortField: 'amount' }, { sortField: 'amount', sortDir: 'desc' })).toBe(false);
  });

  it('is kept without its page, and replaces the one of that name', () => {
    expect(saved(views, ' New ones ', { status: ['New'], page: 3, limit: 25 })).toEqual([
      ...views,
      { name: 'New ones', search: { status: ['New'] } },
    ]);
    expect(saved(views, 'Spring', { vendor: 'BOLT' })).toEqual([
      { name: 'Spring', search: { vendor: 'BOLT' } },
      views[1],
    ]);
    expect(saved(views, '  ', {})).toEqual(views);
  });

  it('is renamed and removed', () => {
    expect(renamed(views, 'Spring', 'Summer')).toEqual([{ name: 'Summer', search: { vendor: 'ACME' } }, views[1]]);
    expect(renamed(views, 'Spring', 'Big')).toEqual([{ name: 'Big', search: { vendor: 'ACME' } }]);
    expect(renamed(views, 'Spring', ' ')).toEqual(views);
    expect(removed(views, 'Spring')).toEqual([views[1]]);
  });

  it('is restored where it stood, unless another one has its name or its room', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (names, any) => {
          const all = names.map((name) => ({ name, search: {} }));
          const at = any % all.length;
          const view = all[at] as View;
          expect(restored(removed(all, view.name), view, at)).toEqual(all);
        },
      ),
    );
    const [spring, big] = views as [View, View];
    expect(restored([big], spring, 7)).toEqual([big, spring]);
    const taken = [big, { name: 'Spring', search: { overdue: true } }];
    expect(restored(taken, spring, 0)).toEqual(taken);
    const full = Array.from({ length: 30 }, (_, at) => ({ name: `v${at}`, search: {} }));
    expect(restored(full, spring, 0)).toEqual(full);
  });

  it('comes back as it was stored, and what is none is left out', () => {
    expect(readViews(JSON.stringify(views))).toEqual(views);
    const some = [
      null,
      3,
      { name: 'x' },
      { name: '', search: {} },
      { name: 'A', search: { page: 2, overdue: 'true' } },
    ];
    expect(readViews(JSON.stringify(some))).toEqual([{ name: 'A', search: { overdue: true } }]);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => expect(Array.isArray(readViews(text))).toBe(true)),
    );
  });

  it('has a name once, and there are not too many', () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `v${at % 40}`, search: {} }));
    expect(readViews(JSON.stringify(many))).toHaveLength(30);
  });

  it('stands in sight where it is shown, else as long as there is room', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ name: String(at), search: { search: `s${at}` } }));
    const names = (shown: string) => {
      const { beside, further } = divided(many, { search: shown });
      return [beside, further].map((some) => some.map(({ name }) => name).join(''));
    };
    expect(names('s2')).toEqual(['0123', '45678']);
    expect(names('s7')).toEqual(['0127', '34568']);
    expect(names('none')).toEqual(['0123', '45678']);
    expect(divided(views, {})).toEqual({ beside: views, further: [] });
  });

  it('does not push another out where there is no room', () => {
    const full = Array.from({ length: 30 }, (_, at) => ({ name: `v${at}`, search: {} }));
    expect(saved(full, 'one more', {})).toEqual(full);
    expect(saved(full, 'v3', { overdue: true })[3]).toEqual({ name: 'v3', search: { overdue: true } });
  });

  it.each([
    ['VENDOR', ['New', 'In Revision']],
    ['BUYER', ['Pending Approval']],
    ['VIEWER', undefined],
    [undefined, undefined],
  ])('"waiting for me" of a %s is %j', (role, statuses) => {
    expect(new Map(givenViews(role)).get('waiting')?.status).toEqual(statuses);
  });

  it.each([
    ['VENDOR', 'In Revision', true],
    ['VENDOR', 'Pending Approval', false],
    ['BUYER', 'Pending Approval', false],
    [undefined, 'New', false],
  ])('an order waits for a vendor who looks: %s, %s: %s', (role, status, is) => {
    expect(waitsForVendor(role, { status })).toBe(is);
  });
});
