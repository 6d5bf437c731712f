import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NOTHING, allToggled, extended, stretched, toggled, within } from './selection.js';

const ROWS = ['a', 'b', 'c', 'd', 'e'];
const picked = ({ picked: refs }: { picked: ReadonlySet<string> }) => [...refs].toSorted().join('');

describe('the selection', () => {
  it('toggles a single row', () => {
    expect(picked(toggled(toggled(NOTHING, 'a'), 'b'))).toBe('ab');
    fc.assert(
      fc.property(fc.subarray(ROWS), fc.constantFrom(...ROWS), (some, ref) => {
        const selection = { picked: new Set(some), anchor: null };
        expect(picked(toggled(toggled(selection, ref), ref))).toBe(picked(selection));
      }),
    );
  });

  it('extends from the last toggled row, in both directions', () => {
    const from = toggled(NOTHING, 'c');
    expect(picked(extended(from, 'e', ROWS))).toBe('cde');
    expect(picked(extended(from, 'a', ROWS))).toBe('abc');
    const all = allToggled(NOTHING, ROWS);
    expect(picked(extended(toggled(all, 'b'), 'd', ROWS))).toBe('ae');
    expect(picked(extended(NOTHING, 'd', ROWS))).toBe('d');
    expect(picked(extended({ picked: new Set(), anchor: 'gone' }, 'd', ROWS))).toBe('d');
  });

  it('grows row by row, and shrinks on the way back', () => {
    const walk = (path: string) =>
      path
        .split('')
        .slice(1)
        .reduce((selection, to, at) => stretched(selection, path[at] ?? '', to, ROWS), NOTHING);
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
    const elsewhere = toggled(NOTHING, 'a');
    expect(picked(stretched(elsewhere, 'd', 'e', ROWS))).toBe('ade');
  });

  it('selects all rows, or clears them if all are selected', () => {
    expect(picked(allToggled(toggled(NOTHING, 'b'), ROWS))).toBe('abcde');
    expect(allToggled(allToggled(NOTHING, ROWS), ROWS)).toBe(NOTHING);
  });

  it('ignores orders that are no longer on the page', () => {
    expect([...within({ picked: new Set(['a', 'x']), anchor: null }, ROWS)]).toEqual(['a']);
  });
});
