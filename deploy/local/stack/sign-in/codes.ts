import { createHash, randomBytes } from 'node:crypto';
import type { DemoUserName } from '../../demo/users.js';

const LIFETIME_MS = 60_000;

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
  private readonly grants = new Map<string, Grant & { until: number }>();

  /** `now`: clock in epoch milliseconds. */
  constructor(private readonly now: () => number = Date.now) {}

  issue(grant: Grant): string {
    for (const [code, { until }] of this.grants) if (until <= this.now()) this.grants.delete(code);
    const code = randomBytes(32).toString('base64url');
    this.grants.set(code, { ...grant, until: this.now() + LIFETIME_MS });
    return code;
  }

  /** Returns the grant of a code; null unless its requester redeems it for the first time within a minute. Any attempt uses it up. */
  redeem(code: string, { redirectUri, verifier }: { redirectUri: string; verifier: string }): Grant | null {
    const grant = this.grants.get(code);
    this.grants.delete(code);
    if (!grant || grant.until <= this.now() || grant.redirectUri !== redirectUri) return null;
    return createHash('sha256').update(verifier).digest('base64url') === grant.challenge ? grant : null;
  }
}
