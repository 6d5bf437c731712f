import { type KeyObject, createPrivateKey, sign } from 'node:crypto';
import { Actor } from '@po/contracts';
import { type JSONWebKeySet, type JWTPayload, createLocalJWKSet, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

const AUDIENCE = 'po-services';
const LIFETIME_S = 60;
/** A cached signature with less time left is renewed, so that it outlives its request's deadline. */
const RENEW_BELOW_S = 15;
/** Longer than any command is waited for. */
const COMMAND_LIFETIME_S = 15;
/** How far the clocks of two machines may be apart: what one signed is read by one that is behind it or ahead of it. */
const CLOCK_TOLERANCE_S = 10;
const MAX_CACHED = 10_000;

/** The purpose of a signature that any query may carry. The purpose of every other one is the digest of the one command it is for. */
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

  /** `jwk`: a private Ed25519 key with a `kid`. Throws when it is not one. */
  static create(jwk: Record<string, unknown>): ActorSigner {
    if (jwk.crv !== 'Ed25519' || typeof jwk.kid !== 'string' || typeof jwk.d !== 'string') {
      throw new Error('the actor signing key must be a private Ed25519 JWK with a kid');
    }
    return new ActorSigner(createPrivateKey({ key: jwk, format: 'jwk' }), jwk.kid);
  }

  /** The signature for any query, cached per set of claims, or for the one command whose digest is the purpose. */
  sign(actor: Actor, purpose: string, now = Date.now()): string {
    const issuedAt = Math.floor(now / 1000);
    if (purpose !== FOR_QUERIES) return this.token({ actor, for: purpose }, issuedAt, COMMAND_LIFETIME_S);
    const claims = JSON.stringify(actor);
    const cached = this.cache.get(claims);
    const left = cached ? cached.expiresAt - now : 0;
    // More than it was given: the clock was put back since, and nobody takes a signature of the future.
    if (cached && left > RENEW_BELOW_S * 1000 && left <= LIFETIME_S * 1000) return cached.value;
    const value = this.token({ actor, for: purpose }, issuedAt, LIFETIME_S);
    this.cache.set(claims, { value, expiresAt: (issuedAt + LIFETIME_S) * 1000 });
    return value;
  }

  // By hand: a command is signed when it is sent, within one turn of the event loop, and WebCrypto's detour costs three times as much.
  private token(claims: { actor: Actor; for: string }, iat: number, lifetimeS: number): string {
    const input = `${this.header}.${encoded({ ...claims, aud: AUDIENCE, iat, exp: iat + lifetimeS })}`;
    return `${input}.${sign(null, Buffer.from(input), this.key).toString('base64url')}`;
  }
}

const encoded = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** A good signature under claims that this version does not understand. */
export class UnknownActorError extends Error {
  override readonly name = 'UnknownActorError';
}

/** Verifies what `ActorSigner` made. */
export class ActorVerifier {
  private readonly keys: ReturnType<typeof createLocalJWKSet>;
  private readonly cache = new LRUCache<string, Cached<Actor>>({ max: MAX_CACHED });

  constructor(keySet: { keys: Record<string, unknown>[] }) {
    this.keys = createLocalJWKSet(keySet as unknown as JSONWebKeySet);
  }

  /**
   * The actor of a good signature for this purpose, or for any where it is null. Rejects for a missing, expired or forged one, and for
   * another purpose; with UnknownActorError for one of another version.
   */
  async verify(token: string | undefined, purpose: string | null, now = Date.now()): Promise<Actor> {
    if (!token) throw new Error('the message has no actor header');
    // A command comes once: what is remembered of it would only push out those who ask.
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
