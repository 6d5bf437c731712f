import { ProblemError } from './validation/errors.js';
import type { Actor } from './identity.js';

/**
 * The code of the only vendor whose data the caller may see; null for all vendors. Throws VENDOR_NOT_LINKED for a vendor without a code.
 */
export function vendorScopeOf({ role, vendorCode }: Pick<Actor, 'role' | 'vendorCode'>): string | null {
  switch (role) {
    case 'VENDOR':
      if (!vendorCode) throw new ProblemError('VENDOR_NOT_LINKED');
      return vendorCode;
    case 'BUYER':
    case 'ADMIN':
    case 'VIEWER':
      return null;
    default:
      throw new Error(`unknown role ${String(role satisfies never)}`);
  }
}
