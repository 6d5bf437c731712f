import { createHash } from 'node:crypto';
import { type Actor, ProblemError, ROLES } from '@po/contracts';
import { unavailable } from '@po/messaging';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../http/request-context.js';
import { type KeySet, KeysUnavailableError } from './key-set.js';
import { jwtVerifications } from './metrics.js';
import { type TokenClaims, type TokenVerifier, isExpired, tokenExpired, tokenInvalid, tokenMissing } from './token.js';

interface CachedClaims {
  claims: TokenClaims;
  /** Generation of the key set that verified the token. */
  generation: string;
}

/** Observer of callers and keys: the streams, which end before their token expires. */
interface Watcher {
  /** Handles a call with a valid token. */
  seen(caller: Caller): void;
  /** Handles a change of the keys: verified tokens may be invalid now. */
  keysChanged(): void;
}

const MAX_CACHED = 20_000;

/** Identifies callers by the X-User-Token header. Valid tokens are cached by their hash until they expire. */
export class Callers {
  private readonly cache = new LRUCache<string, CachedClaims>({ max: MAX_CACHED });

  constructor(
    private readonly tokens: TokenVerifier,
    private readonly keys: KeySet,
    private readonly watcher?: Watcher,
  ) {
    keys.onChange(() => watcher?.keysChanged());
  }

  /** Returns a caller with a usable role. Throws the 401, 403 or 503 of the contract. */
  async identify(headerValues: readonly string[], now = Date.now()): Promise<Caller> {
    const token = tokenOf(headerValues);
    const claims = await this.claimsOf(token, now);
    const caller = {
      actor: actorOf(claims),
      issuedAt: claims.iat,
      expiresAt: claims.exp * 1000,
      isRefused: () => this.isRefused(token),
    };
    this.watcher?.seen(caller);
    return caller;
  }

  private async isRefused(token: string): Promise<boolean> {
    try {
      await this.claimsOf(token, Date.now());
      return false;
    } catch (error) {
      return error instanceof ProblemError && error.code !== 'UNAVAILABLE';
    }
  }

  private async claimsOf(token: string, now: number): Promise<TokenClaims> {
    const hash = createHash('sha256').update(token).digest('base64');
    const cached = this.cache.get(hash);
    if (cached && cached.generation === this.keys.generation && this.keys.available) {
      if (!isExpired(cached.claims.exp, now)) {
        jwtVerifications.inc({ result: 'cached' });
        return cached.claims;
      }
      this.cache.delete(hash);
      jwtVerifications.inc({ result: 'expired' });
      throw tokenExpired();
    }
    // Read before the await: if a key is removed during the verification, the token must not be cached under the new generation.
    const { generation } = this.keys;
    try {
      const claims = await this.tokens.verify(token, now);
      this.cache.set(hash, { claims, generation });
      jwtVerifications.inc({ result: 'verified' });
      return claims;
    } catch (error) {
      if (error instanceof KeysUnavailableError) {
        jwtVerifications.inc({ result: 'keys-unavailable' });
        throw unavailable(5);
      }
      const expired = error instanceof ProblemError && error.code === 'TOKEN_EXPIRED';
      jwtVerifications.inc({ result: expired ? 'expired' : 'invalid' });
      throw error;
    }
  }
}

function tokenOf(headerValues: readonly string[]): string {
  const [value = '', ...more] = headerValues;
  if (more.length > 0) {
    jwtVerifications.inc({ result: 'invalid' });
    throw tokenInvalid();
  }
  if (value.trim() === '') {
    jwtVerifications.inc({ result: 'missing' });
    throw tokenMissing();
  }
  return value.replace(/^Bearer /i, '');
}

function actorOf({ sub, email, name, role, vendorCode, locale }: TokenClaims): Actor {
  const known = ROLES.find((candidate) => candidate === role);
  if (!known) throw new ProblemError('ROLE_NOT_ALLOWED', {}, { hidden: { roles: ROLES } });
  if (known !== 'VENDOR') return { sub, email, name, role: known, vendorCode: null, locale };
  if (!vendorCode) throw new ProblemError('VENDOR_NOT_LINKED');
  return { sub, email, name, role: known, vendorCode, locale };
}
