import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readOrdersSearch } from '../../filters/search.js';
import { sampleView } from '../sample-view.js';
import { splitViews, moved, nameOf, queryTextsOf } from './edits.js';

describe('the stored query of a view', () => {
  it('has each parameter as text, and is read back with the same meaning', () => {
    const search = readOrdersSearch({
      status: ['New', 'In Revision'],
      due: ['REPLY_DUE'],
      overdue: true,
      hasSourceConflict: false,
      buyer: 'me',
      poRef: 'A-1,A-2',
      search: '4500',
      sortField: 'amount',
      sortDir: 'desc',
    });
    const texts = queryTextsOf({ ...search, page: 3, limit: 100, view: 'v-1' });
    expect(texts).toEqual({
      status: 'New,In Revision',
      due: 'REPLY_DUE',
      overdue: 'true',
      hasSourceConflict: 'false',
      buyer: 'me',
      poRef: 'A-1,A-2',
      search: '4500',
      sortField: 'amount',
      sortDir: 'desc',
    });
    expect(readOrdersSearch(texts)).toEqual(search);
  });
});

describe('the name of a view', () => {
  it('is trimmed, and truncated at a whole character', () => {
    expect(nameOf(' Spring ', 80)).toBe('Spring');
    expect(nameOf('👕👕👕', 2)).toBe('👕👕');
    expect(nameOf('ab  c', 4)).toBe('ab');
  });
});

describe('moving a view', () => {
  it('puts it at the new place and keeps the order of the others', () => {
    expect(moved(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b'], 'gone', 0)).toEqual(['a', 'b']);
    fc.assert(
      fc.property(
        fc
          .uniqueArray(fc.string(), { minLength: 1 })
          .chain((ids) =>
            fc.record({ ids: fc.constant(ids), id: fc.constantFrom(...ids), to: fc.nat(ids.length - 1) }),
          ),
        ({ ids, id, to }) => {
          const after = moved(ids, id, to);
          expect(after[to]).toBe(id);
          expect(after.filter((one) => one !== id)).toEqual(ids.filter((one) => one !== id));
        },
      ),
    );
  });
});

describe('the bar of saved views', () => {
  it('shows the first views, and always the open one', () => {
    const many = Array.from('abcdefghi').map((id) => sampleView({ id }));
    const ids = (open?: string) => {
      const { inBar, inMenu } = splitViews(many, open);
      return [inBar, inMenu].map((some) => some.map(({ id }) => id).join(''));
    };
    expect(ids('c')).toEqual(['abcd', 'efghi']);
    expect(ids('h')).toEqual(['abch', 'defgi']);
    expect(ids('none')).toEqual(['abcd', 'efghi']);
    expect(ids()).toEqual(['abcd', 'efghi']);
    expect(splitViews(many.slice(0, 2), undefined)).toEqual({ inBar: many.slice(0, 2), inMenu: [] });
  });
});
