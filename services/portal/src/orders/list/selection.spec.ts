import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_SELECTION, allToggled, extended, extendedByOne, toggled, within } from './selection.js';

const ROWS = ['a', 'b', 'c', 'd', 'e'];
const picked = ({ picked: refs }: { picked: ReadonlySet<string> }) => [...refs].toSorted().join('');

describe('the selection', () => {
  it('toggles a single row', () => {
    expect(picked(toggled(toggled(NO_SELECTION, 'a'), 'b'))).toBe('ab');
    fc.assert(
      fc.property(fc.subarray(ROWS), fc.constantFrom(...ROWS), (some, ref) => {
        const selection = { picked: new Set(some), anchor: null };
        expect(picked(toggled(toggled(selection, ref), ref))).toBe(picked(selection));
      }),
    );
  });

  it('extends from the last toggled row, in both directions', () => {
    const from = toggled(NO_SELECTION, 'c');
    expect(picked(extended(from, 'e', ROWS))).toBe('cde');
    expect(picked(extended(from, 'a', ROWS))).toBe('abc');
    const all = allToggled(NO_SELECTION, ROWS);
    expect(picked(extended(toggled(all, 'b'), 'd', ROWS))).toBe('ae');
    expect(picked(extended(NO_SELECTION, 'd', ROWS))).toBe('d');
    expect(picked(extended({ picked: new Set(), anchor: 'gone' }, 'd', ROWS))).toBe('d');
  });

  it('grows row by row, and shrinks on the way back', () => {
    const walk = (path: string) =>
      path
        .split('')
        .slice(1)
        .reduce((selection, to, at) => extendedByOne(selection, path[at] ?? '', to, ROWS), NO_SELECTION);
    expect(['b', 'bc', 'bcd', 'bcdc', 'bcdcb', 'bcdcba', 'cba', 'ee'].map((path) => picked(walk(path)))).toEqual([
      '',
      'bc',
      'bcd',
      'bc',
      'b',
      'ab',
      'abc',
      'e',
    ]);
    const elsewhere = toggled(NO_SELECTION, 'a');
    expect(picked(extendedByOne(elsewhere, 'd', 'e', ROWS))).toBe('ade');
  });

  it('selects all rows, or clears them if all are selected', () => {
    expect(picked(allToggled(toggled(NO_SELECTION, 'b'), ROWS))).toBe('abcde');
    expect(allToggled(allToggled(NO_SELECTION, ROWS), ROWS)).toBe(NO_SELECTION);
  });

  it('ignores orders that are no longer on the page', () => {
    expect([...within({ picked: new Set(['a', 'x']), anchor: null }, ROWS)]).toEqual(['a']);
  });
});
