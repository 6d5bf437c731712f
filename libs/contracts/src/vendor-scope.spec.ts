import { describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { ProblemError } from './validation/errors.js';
import { vendorScopeOf } from './vendor-scope.js';

describe("a caller's scope", () => {
  it("is the vendor's own code for a vendor, and everything for internal roles", () => {
    expect(vendorScopeOf(actors.acme)).toBe('ACME');
    for (const actor of [actors.buyer, actors.admin, actors.viewer]) expect(vendorScopeOf(actor)).toBeNull();
  });

  it('is never everything for a vendor without a code', () => {
    for (const vendorCode of [null, '']) {
      expect(() => vendorScopeOf({ ...actors.acme, vendorCode })).toThrow(new ProblemError('VENDOR_NOT_LINKED'));
    }
  });

  it('ignores a vendor code on another role', () => {
    expect(vendorScopeOf({ ...actors.buyer, vendorCode: 'ACME' })).toBeNull();
  });
});
