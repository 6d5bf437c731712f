import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { placeOf, withPlace } from './place.js';

const place = { cursor: 'PO-1', picked: ['PO-1', 'PO-2'], top: 320 };

describe('where somebody was in a list', () => {
  it('is found by the entry of the history', () => {
    const stored = withPlace(withPlace(null, 'one', place), 'two', { ...place, top: 0 });
    expect(placeOf(stored, 'one')).toEqual(place);
    expect(placeOf(stored, 'three')).toBeNull();
    expect(placeOf(withPlace(stored, 'one', { ...place, cursor: null }), 'one')).toEqual({ ...place, cursor: null });
  });

  it('is forgotten after many others', () => {
    let stored = withPlace(null, 'first', place);
    for (let entry = 0; entry < 25; entry += 1) stored = withPlace(stored, `e${entry}`, place);
    expect([placeOf(stored, 'first'), placeOf(stored, 'e24')]).toEqual([null, place]);
  });

  it('is nowhere where the storage holds something else', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (stored) => expect(placeOf(stored, 'x')).toBeNull()));
    expect(placeOf('[["x",{"cursor":1,"picked":[],"top":0}]]', 'x')).toBeNull();
  });
});
