import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@po/contracts';
import { actors } from '../../../test/support/actors.js';
import { scopeOf } from './dashboard.queries.js';

describe("a caller's scope", () => {
  it("is the vendor's own code for a vendor, and everything for internal roles", () => {
    expect(scopeOf(actors.acme)).toBe('ACME');
    for (const actor of [actors.buyer, actors.admin, actors.viewer]) expect(scopeOf(actor)).toBeNull();
  });

  it('is never everything for a vendor without a code', () => {
    expect(() => scopeOf({ ...actors.acme, vendorCode: null })).toThrow(new ProblemError('VENDOR_NOT_LINKED'));
  });

  it('ignores a vendor code on another role', () => {
    expect(scopeOf({ ...actors.buyer, vendorCode: 'ACME' })).toBeNull();
  });
});
