import { describe, expect, it } from '@jest/globals';
import { feedOf } from './feed.js';

const entries = (...ids: string[]) => ids.map((id) => ({ id }));
const known = new Set(['b', 'a']);

describe('the activity feed', () => {
  it('marks entries that arrived since it was opened', () => {
    const { shown, fresh, waiting } = feedOf(entries('d', 'c', 'b', 'a'), known, null);
    expect([shown.map(({ id }) => id), [...fresh], waiting]).toEqual([['d', 'c', 'b', 'a'], ['d', 'c'], 0]);
  });

  it('holds new entries back while the user reads, and counts them', () => {
    const { shown, fresh, waiting } = feedOf(entries('d', 'c', 'b'), known, entries('c', 'b', 'a'));
    expect([shown.map(({ id }) => id), [...fresh], waiting]).toEqual([['c', 'b', 'a'], ['c'], 1]);
  });

  it('is empty without entries', () => {
    expect(feedOf([], new Set(), null)).toEqual({ shown: [], fresh: new Set(), waiting: 0 });
    expect(feedOf(entries('a'), new Set(), []).waiting).toBe(1);
  });
});
