import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSeen, seenOf, withSeen } from './seen.js';

const AT = '2027-03-01T10:00:00.000Z';
const LATER = '2027-03-01T11:00:00.000Z';

describe('the record of what a user has seen', () => {
  it('holds an instant per order, which never moves back', () => {
    const seen = withSeen(withSeen([], 'PO-1', LATER), 'PO-2', AT);
    expect([seenOf(seen, 'PO-1'), seenOf(seen, 'PO-2'), seenOf(seen, 'PO-3')]).toEqual([LATER, AT, null]);
    expect(seenOf(withSeen(seen, 'PO-1', AT), 'PO-1')).toBe(LATER);
    expect(seenOf(withSeen(seen, 'PO-2', LATER), 'PO-2')).toBe(LATER);
  });

  it('forgets the orders viewed longest ago and keeps those in use', () => {
    let seen = withSeen([], 'PO-used', AT);
    for (let order = 0; order < 2000; order += 1) {
      seen = withSeen(seen, `PO-${order}`, AT);
      if (order % 100 === 0) seen = withSeen(seen, 'PO-used', AT);
    }
    expect(seen.length).toBe(500);
    expect([seenOf(seen, 'PO-used'), seenOf(seen, 'PO-1999'), seenOf(seen, 'PO-1')]).toEqual([AT, AT, null]);
  });

  it('is read back as stored, without entries of any other form', () => {
    const seen = withSeen([], 'PO-1', AT);
    expect(readSeen(JSON.stringify(seen))).toEqual(seen);
    expect(readSeen(null)).toEqual([]);
    expect(readSeen(JSON.stringify([['PO-1', 'soon'], ['PO-2', AT], 'PO-3', null]))).toEqual([['PO-2', AT]]);
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => Array.isArray(readSeen(text))));
  });
});
