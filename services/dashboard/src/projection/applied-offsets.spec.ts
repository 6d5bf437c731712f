import { describe, expect, it } from '@jest/globals';
import { AppliedOffsets } from './applied-offsets.js';

describe('what is known to be applied', () => {
  it('only grows within a generation, whatever order answers come in', () => {
    const known = new AppliedOffsets();
    known.note(7, 't/0', 3);
    known.note(7, 't/0', 2);
    known.note(7, 't/1', 1);
    expect(known.flat()).toEqual(['t/0', 3, 't/1', 1]);
    expect(known.of('t/2')).toBe(0);
  });

  it('starts over with a newer generation and ignores an older one', () => {
    const known = new AppliedOffsets();
    known.note(7, 't/0', 3);
    known.note(8, 't/1', 1);
    known.note(7, 't/0', 4);
    expect(known.generation).toBe(8);
    expect(known.flat()).toEqual(['t/1', 1]);
  });

  it('can be forgotten', () => {
    const known = new AppliedOffsets();
    known.note(7, 't/0', 3);
    known.forget();
    expect([known.generation, known.flat()]).toEqual([0, []]);
  });
});
