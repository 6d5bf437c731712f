import { describe, expect, it } from '@jest/globals';
import { bodyHashOf } from './request-hashes.js';

describe('the hash of a body', () => {
  const view = { name: 'Late', query: { vendor: 'ACME', overdue: 'true' }, columns: ['poNumber'], shared: false };

  it('does not depend on the order of parameters', () => {
    expect(bodyHashOf({ ...view, query: { overdue: 'true', vendor: 'ACME' } })).toBe(bodyHashOf(view));
  });

  it.each([{ name: 'late' }, { query: {} }, { columns: null }, { shared: true }])('depends on %j', (change) => {
    expect(bodyHashOf({ ...view, ...change })).not.toBe(bodyHashOf(view));
  });
});
