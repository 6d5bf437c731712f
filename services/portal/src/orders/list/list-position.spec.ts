import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, withPosition } from './list-position.js';

const place = { cursor: 'PO-1', picked: ['PO-1', 'PO-2'] };

describe('the position in a list', () => {
  it('is found by its history entry', () => {
    const stored = withPosition(withPosition(null, 'one', place), 'two', { ...place, picked: [] });
    expect(positionOf(stored, 'one')).toEqual(place);
    expect(positionOf(stored, 'three')).toBeNull();
    expect(positionOf(withPosition(stored, 'one', { ...place, cursor: null }), 'one')).toEqual({
      ...place,
      cursor: null,
    });
  });

  it('is dropped after many newer positions', () => {
    let stored = withPosition(null, 'first', place);
    for (let entry = 0; entry < 25; entry += 1) stored = withPosition(stored, `e${entry}`, place);
    expect([positionOf(stored, 'first'), positionOf(stored, 'e24')]).toEqual([null, place]);
  });

  it('is null if the stored text is invalid', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (stored) => expect(positionOf(stored, 'x')).toBeNull()));
    expect(positionOf('[["x",{"cursor":1,"picked":[]}]]', 'x')).toBeNull();
  });
});
