import { describe, expect, it } from '@jest/globals';
import { AppliedCounts } from './applied-counts.js';

describe('the numbers of applied records', () => {
  it('only grow within a generation, in whatever order answers arrive', () => {
    const known = new AppliedCounts();
    known.record(7, 't/0', 3);
    known.record(7, 't/0', 2);
    known.record(7, 't/1', 1);
    expect(known.flat()).toEqual(['t/0', 3, 't/1', 1]);
    expect(known.of('t/2')).toBe(0);
  });

  it('restart with a newer generation and ignore an older one', () => {
    const known = new AppliedCounts();
    known.record(7, 't/0', 3);
    known.record(8, 't/1', 1);
    known.record(7, 't/0', 4);
    expect(known.generation).toBe(8);
    expect(known.flat()).toEqual(['t/1', 1]);
  });

  it('are empty after a reset', () => {
    const known = new AppliedCounts();
    known.record(7, 't/0', 3);
    known.forget();
    expect([known.generation, known.flat()]).toEqual([0, []]);
  });
});
