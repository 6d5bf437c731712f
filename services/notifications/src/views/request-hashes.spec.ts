import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyHashOf, viewIdOf } from './view-id.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;
const request = fc.tuple(fc.string(), fc.string(), fc.string());

describe('the id of a view', () => {
  it('is the same for the same side, owner and key, and another one for any other', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        const [first, second] = [viewIdOf(...one), viewIdOf(...other)];
        expect(first).toMatch(UUID);
        expect(viewIdOf(...one)).toBe(first);
        expect(first === second).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

describe('the hash of a body', () => {
  const view = { name: 'Late', query: { vendor: 'ACME', overdue: 'true' }, columns: ['poNumber'], shared: false };

  it('does not depend on the order of parameters', () => {
    expect(bodyHashOf({ ...view, query: { overdue: 'true', vendor: 'ACME' } })).toBe(bodyHashOf(view));
  });

  it.each([{ name: 'late' }, { query: {} }, { columns: null }, { shared: true }])('depends on %j', (change) => {
    expect(bodyHashOf({ ...view, ...change })).not.toBe(bodyHashOf(view));
  });
});
