import { demoToken } from '#local/stack/demo-token.js';
import { loadKeys } from '#local/stack/keys.js';
import type { RunningStack } from './stack-process.js';

/** Makes tokens of vendors' users: of one user a vendor, unless `sub` names another. */
export type VendorTokens = (vendorCode: string, sub?: string) => Promise<string>;

/** Reads the keys of the stack, with which they are made. */
export async function vendorTokensOf({ folder, stack: { issuer, audience } }: RunningStack): Promise<VendorTokens> {
  const { identity: key } = await loadKeys(folder);
  return (vendor_code, sub = `bench-${vendor_code}`) => {
    const claims = { sub, email: `${sub}@vendor.example`, name: sub, vendor_code };
    return demoToken({ key, issuer, audience }, 'vendor:ACME', claims);
  };
}
