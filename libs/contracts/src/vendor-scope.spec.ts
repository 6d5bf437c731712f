import { describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { ProblemError } from './validation/errors.js';
import { vendorScopeOf } from './vendor-scope.js';

describe('the vendor scope of a caller', () => {
  it("is the vendor's own code for a vendor, and unlimited for internal roles", () => {
    expect(vendorScopeOf(actors.acme)).toBe('ACME');
    for (const actor of [actors.buyer, actors.admin, actors.viewer]) expect(vendorScopeOf(actor)).toBeNull();
  });

  it('is never unlimited for a vendor without a vendor code', () => {
    for (const vendorCode of [null, '']) {
      expect(() => vendorScopeOf({ ...actors.acme, vendorCode })).toThrow(new ProblemError('VENDOR_NOT_LINKED'));
    }
  });

  it('ignores the vendor code of other roles', () => {
    expect(vendorScopeOf({ ...actors.buyer, vendorCode: 'ACME' })).toBeNull();
  });
});
