import { generateKeyPairSync } from 'node:crypto';
import type { DemoUserName } from '../../deploy/local/demo/users.js';
import { demoToken } from '../../deploy/local/stack/demo-token.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { readStack, stackFolder } from '../support/stack.js';
import type { Caller } from '../../deploy/documents/access-rules/rule.js';

export interface Companies {
  own: { code: string; name: string };
  other: { code: string; name: string };
  /** E-mail address of the orders' buyer, a user with the role BUYER. */
  buyerEmail: string;
  /** Prefix of every user id. */
  tag: string;
}

/** User id of the VIEWER. */
export const viewerOf = ({ tag }: Pick<Companies, 'tag'>): string => `${tag}-viewer`;

/** Tokens by kind of caller; undefined for the caller without one. No other test uses these users and vendors. */
export async function callersOf({
  own,
  other,
  buyerEmail,
  tag,
}: Companies): Promise<Record<Caller, string | undefined>> {
  const { issuer, audience } = readStack();
  const { identity: key } = await loadKeys(stackFolder());
  const token = (as: DemoUserName, sub: string, claims: Record<string, unknown> = {}, signedBy = key) =>
    demoToken({ key: signedBy, issuer, audience }, as, { sub: `${tag}-${sub}`, ...claims });
  const vendor = { vendor_code: own.code };
  const now = Math.floor(Date.now() / 1000);
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  return {
    'own vendor': await token('vendor:ACME', 'first', vendor),
    colleague: await token('vendor:ACME:2', 'second', vendor),
    'other vendor': await token('vendor:BOLT', 'other', { vendor_code: other.code }),
    BUYER: await token('buyer', 'buyer', { email: buyerEmail }),
    ADMIN: await token('admin', 'admin'),
    VIEWER: await token('viewer', 'viewer', { sub: viewerOf({ tag }) }),
    'no token': undefined,
    'a malformed token': 'no.good.token',
    // Claims the key id of the valid key.
    'signed by another key': await token('admin', 'forged', {}, { ...otherKey, kid: key.kid }),
    expired: await token('vendor:ACME', 'first', { ...vendor, iat: now - 7200, exp: now - 3600 }),
    'no known role': await token('admin', 'unknown', { role: 'OWNER', ...vendor }),
    'a vendor without a code': await token('vendor:ACME', 'unlinked', { vendor_code: null }),
  };
}
