import { Actor } from '@po/contracts';
import { type CryptoKey, type JSONWebKeySet, SignJWT, createLocalJWKSet, importJWK, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

const AUDIENCE = 'po-services';
const LIFETIME_S = 60;
/** A cached signature with less left than this is made anew, so that it outlives its request's deadline. */
const RENEW_BELOW_S = 15;
/** How far the clocks of two machines may be apart: what one signed is read by one that is behind it or ahead of it. */
const CLOCK_TOLERANCE_S = 10;
const MAX_CACHED = 10_000;

interface Cached<T> {
  value: T;
  expiresAt: number;
}

/** Signs the caller for the services behind the gateway: a compact JWS (EdDSA, at most 60 s), cached per set of claims. */
export class ActorSigner {
  private readonly cache = new LRUCache<string, Cached<Promise<string>>>({ max: MAX_CACHED });

  private constructor(
    private readonly key: CryptoKey | Uint8Array,
    private readonly kid: string,
  ) {}

  /** `jwk`: a private Ed25519 key with a `kid`. Throws when it is not one. */
  static async create(jwk: Record<string, unknown>): Promise<ActorSigner> {
    if (jwk.crv !== 'Ed25519' || typeof jwk.kid !== 'string' || typeof jwk.d !== 'string') {
      throw new Error('the actor signing key must be a private Ed25519 JWK with a kid');
    }
    return new ActorSigner(await importJWK(jwk, 'EdDSA'), jwk.kid);
  }

  sign(actor: Actor, now = Date.now()): Promise<string> {
    const claims = JSON.stringify(actor);
    const cached = this.cache.get(claims);
    if (cached && cached.expiresAt - now > RENEW_BELOW_S * 1000) return cached.value;
    const issuedAt = Math.floor(now / 1000);
    const token = new SignJWT({ actor })
      .setProtectedHeader({ alg: 'EdDSA', kid: this.kid })
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .sign(this.key);
    this.cache.set(claims, { value: token, expiresAt: (issuedAt + LIFETIME_S) * 1000 });
    return token;
  }
}

/** Verifies what `ActorSigner` made. */
export class ActorVerifier {
  private readonly keys: ReturnType<typeof createLocalJWKSet>;
  private readonly cache = new LRUCache<string, Cached<Actor>>({ max: MAX_CACHED });

  constructor(keySet: { keys: Record<string, unknown>[] }) {
    this.keys = createLocalJWKSet(keySet as unknown as JSONWebKeySet);
  }

  /** The actor of a good signature; rejects for a missing, expired, forged or malformed one. */
  async verify(token: string | undefined, now = Date.now()): Promise<Actor> {
    if (!token) throw new Error('the message has no actor header');
    const cached = this.cache.get(token);
    if (cached && cached.expiresAt > now) return cached.value;
    const { payload } = await jwtVerify(token, this.keys, {
      algorithms: ['EdDSA'],
      audience: AUDIENCE,
      maxTokenAge: LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(now),
    });
    const actor = Actor.parse(payload.actor);
    this.cache.set(token, { value: actor, expiresAt: ((payload.exp as number) + CLOCK_TOLERANCE_S) * 1000 });
    return actor;
  }
}
