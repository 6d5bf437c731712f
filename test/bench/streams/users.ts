import { demoToken } from '#local/stack/demo-token.js';
import { loadKeys } from '#local/stack/keys.js';
import type { RunningStack } from '../stack-process.js';

/** Tabs of one buyer, which is as many as a user may have. */
const TABS = 5;
/** One of so many streams is a buyer's. */
const BUYERS = 5;
const USERS_OF_A_VENDOR = 5;

/** A token for each stream. Buyers are told of everything that is done, vendors of other orders. */
export interface StreamTokens {
  buyers: string[];
  vendors: string[];
}

/** Tokens for so many streams: a fifth is of buyers with five tabs each, the rest of vendors with five users each. */
export async function streamTokens({ folder, stack }: RunningStack, open: number): Promise<StreamTokens> {
  const { identity: key } = await loadKeys(folder);
  const { issuer, audience } = stack;
  const tokenOf = (as: 'buyer' | 'vendor:ACME', claims: Record<string, unknown>) =>
    demoToken({ key, issuer, audience }, as, claims);
  const buyers = Math.floor(open / BUYERS);
  const buyer = (tab: number) => {
    const sub = `stream-buyer-${Math.floor(tab / TABS)}`;
    return tokenOf('buyer', { sub, email: `${sub}@example.com` });
  };
  const vendor = (user: number) => {
    const sub = `stream-vendor-${user}`;
    return tokenOf('vendor:ACME', { sub, email: sub, vendor_code: `STREAM-${Math.floor(user / USERS_OF_A_VENDOR)}` });
  };
  return {
    buyers: await Promise.all(Array.from({ length: buyers }, (_, tab) => buyer(tab))),
    vendors: await Promise.all(Array.from({ length: open - buyers }, (_, user) => vendor(user))),
  };
}
