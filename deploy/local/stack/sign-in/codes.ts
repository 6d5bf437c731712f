import { createHash, randomBytes } from 'node:crypto';
import type { DemoUserName } from '../../demo/users.js';

/** The request for which a code was issued. */
export interface Grant {
  user: DemoUserName;
  redirectUri: string;
  /** PKCE code challenge, method S256. */
  challenge: string;
  nonce: string | null;
  scope: string;
}

/** Authorization codes that were issued and not yet used. */
export class Codes {
  private readonly grants = new Map<string, Grant>();

  issue(grant: Grant): string {
    const code = randomBytes(32).toString('base64url');
    this.grants.set(code, grant);
    return code;
  }

  /** Returns the grant of a code; null unless its requester redeems it for the first time. Any attempt uses it up. */
  redeem(code: string, { redirectUri, verifier }: { redirectUri: string; verifier: string }): Grant | null {
    const grant = this.grants.get(code);
    this.grants.delete(code);
    if (grant?.redirectUri !== redirectUri) return null;
    return createHash('sha256').update(verifier).digest('base64url') === grant.challenge ? grant : null;
  }
}
