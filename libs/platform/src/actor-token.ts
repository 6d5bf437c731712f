import { type KeyObject, createPrivateKey, sign } from 'node:crypto';
import { Actor } from '@po/contracts';
import { type JSONWebKeySet, type JWTPayload, createLocalJWKSet, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

const AUDIENCE = 'po-services';
const LIFETIME_S = 60;
/** A cached signature with fewer seconds left is renewed, so that it outlives the deadline of its request. */
const RENEW_BELOW_S = 15;
/** Longer than the deadline of any command. */
const COMMAND_LIFETIME_S = 15;
/** Clock difference allowed between the signing and the verifying machine, in either direction. */
const CLOCK_TOLERANCE_S = 10;
const MAX_CACHED = 10_000;

/** Purpose of a signature for any query. The purpose of every other signature is the digest of its one command. */
export const FOR_QUERIES = 'queries';

interface Cached<T> {
  value: T;
  expiresAt: number;
}

/** Signs the caller for the services behind the gateway: a compact JWS (EdDSA, at most 60 s). */
export class ActorSigner {
  private readonly cache = new LRUCache<string, Cached<string>>({ max: MAX_CACHED });
  private readonly header: string;

  private constructor(
    private readonly key: KeyObject,
    kid: string,
  ) {
    this.header = encoded({ alg: 'EdDSA', kid });
  }

  /** Throws if `jwk` is not a private Ed25519 key with a `kid`. */
  static create(jwk: Record<string, unknown>): ActorSigner {
    if (jwk.crv !== 'Ed25519' || typeof jwk.kid !== 'string' || typeof jwk.d !== 'string') {
      throw new Error('the actor signing key must be a private Ed25519 JWK with a kid');
    }
    return new ActorSigner(createPrivateKey({ key: jwk, format: 'jwk' }), jwk.kid);
  }

  /** Signature for any query, cached by claims, or for the one command whose digest is the purpose. */
  sign(actor: Actor, purpose: string, now = Date.now()): string {
    const issuedAt = Math.floor(now / 1000);
    if (purpose !== FOR_QUERIES) return this.token({ actor, for: purpose }, issuedAt, COMMAND_LIFETIME_S);
    const claims = JSON.stringify(actor);
    const cached = this.cache.get(claims);
    const left = cached ? cached.expiresAt - now : 0;
    // More time left than the lifetime means that the clock was set back since. Verifiers refuse a signature from the future.
    if (cached && left > RENEW_BELOW_S * 1000 && left <= LIFETIME_S * 1000) return cached.value;
    const value = this.token({ actor, for: purpose }, issuedAt, LIFETIME_S);
    this.cache.set(claims, { value, expiresAt: (issuedAt + LIFETIME_S) * 1000 });
    return value;
  }

  // Built by hand because a command is signed in the event-loop turn that sends it, and asynchronous WebCrypto costs three times as much.
  private token(claims: { actor: Actor; for: string }, iat: number, lifetimeS: number): string {
    const input = `${this.header}.${encoded({ ...claims, aud: AUDIENCE, iat, exp: iat + lifetimeS })}`;
    return `${input}.${sign(null, Buffer.from(input), this.key).toString('base64url')}`;
  }
}

const encoded = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** The signature is valid, but this version does not understand the claims. */
export class UnknownActorError extends Error {
  override readonly name = 'UnknownActorError';
}

/** Verifies tokens of `ActorSigner`. */
export class ActorVerifier {
  private readonly keys: ReturnType<typeof createLocalJWKSet>;
  private readonly cache = new LRUCache<string, Cached<Actor>>({ max: MAX_CACHED });

  constructor(keySet: { keys: Record<string, unknown>[] }) {
    this.keys = createLocalJWKSet(keySet as unknown as JSONWebKeySet);
  }

  /**
   * Returns the actor if the signature is valid for this purpose; null accepts any purpose. Rejects a missing, expired or forged
   * token and one for another purpose. Rejects with UnknownActorError if the claims come from another version.
   */
  async verify(token: string | undefined, purpose: string | null, now = Date.now()): Promise<Actor> {
    if (!token) throw new Error('the message has no actor header');
    // A command arrives once, so caching it would only evict actors of queries.
    const isQuery = purpose === FOR_QUERIES;
    const cached = isQuery ? this.cache.get(token) : undefined;
    if (cached && cached.expiresAt > now) return cached.value;
    const { payload } = await jwtVerify(token, this.keys, {
      algorithms: ['EdDSA'],
      audience: AUDIENCE,
      maxTokenAge: LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(now),
    });
    if (!isFor(payload, purpose)) throw new Error('the actor header was signed for another message');
    const { data: actor, error } = Actor.safeParse(payload.actor);
    if (error) throw new UnknownActorError('the claims of the actor are not understood', { cause: error.issues });
    const expiresAt = ((payload.exp as number) + CLOCK_TOLERANCE_S) * 1000;
    if (isQuery) this.cache.set(token, { value: actor, expiresAt });
    return actor;
  }
}

function isFor(payload: JWTPayload, purpose: string | null): boolean {
  return purpose === null || payload.for === purpose;
}
