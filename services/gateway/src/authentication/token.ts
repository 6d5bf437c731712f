import { ACTOR_SIZES, ProblemError } from '@po/contracts';
import { compactVerify } from 'jose';
import { z } from 'zod';
import type { Algorithm, KeySet } from './key-set.js';

export interface TokenSettings {
  issuer: string;
  audience: string;
  algorithms: readonly Algorithm[];
  /** Seconds between `iat` and `exp` at most. */
  maxLifetimeS: number;
  /** Names of the claims. */
  claims: { sub: string; email: string; name: string; role: string; vendorCode: string; locale: string };
}

/** What a good token says; a claim that is absent is null. */
export interface TokenClaims {
  /** Identifies the user. */
  sub: string;
  email: string | null;
  name: string | null;
  role: string | null;
  vendorCode: string | null;
  locale: string | null;
  /** Epoch seconds, both. */
  iat: number;
  exp: number;
}

const MAX_LENGTH = 8 * 1024;
const LEEWAY_S = 60;
const SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const FORBIDDEN_HEADERS = ['jku', 'x5u', 'jwk', 'crit', 'b64', 'zip'];

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const claimText = z.string().refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value));
const userId = claimText.min(1).max(ACTOR_SIZES.sub);
const seconds = z.number().refine(Number.isSafeInteger);

const Header = z
  .looseObject({ alg: z.string(), kid: z.string().min(1), typ: z.enum(['JWT', 'at+jwt']).optional() })
  .refine((header) => !FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name)));

// A role is compared with those there are and goes no further: one that is too long is an unknown one, and answered as that.
const claimsSchema = ({ claims: { role, sub, ...claims } }: TokenSettings) =>
  z.object({
    [role]: claimText.optional(),
    ...Object.fromEntries(
      (Object.keys(claims) as (keyof typeof claims)[]).map((claim) => [
        claims[claim],
        claimText.max(ACTOR_SIZES[claim]).optional(),
      ]),
    ),
    // After the others: a claim configured to be one of these must not make it optional.
    ...Object.fromEntries([[sub, userId]]),
    sub: userId,
    iss: z.string(),
    aud: z.union([z.string(), z.array(z.string())]),
    exp: seconds,
    iat: seconds,
    nbf: seconds.optional(),
  });

/** The 401 of a token that is wrong in any way but its age. */
export const tokenInvalid = (): ProblemError => unauthenticated('TOKEN_INVALID', ', error="invalid_token"');

/** The 401 of a token that is good but for its age. */
export const tokenExpired = (): ProblemError => unauthenticated('TOKEN_EXPIRED', ', error="invalid_token"');

export const tokenMissing = (): ProblemError => unauthenticated('TOKEN_MISSING', '');

function unauthenticated(code: 'TOKEN_MISSING' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED', error: string): ProblemError {
  return new ProblemError(code, {}, { headers: { 'www-authenticate': `Bearer realm="po-collaboration"${error}` } });
}

/** True when a token that was good is no longer, at this time in milliseconds. */
export const isExpired = (exp: number, now: number): boolean => now / 1000 >= exp + LEEWAY_S;

/** Verifies user tokens: a compact JWS of the identity provider. */
export class TokenVerifier {
  private readonly schema: ReturnType<typeof claimsSchema>;

  constructor(
    private readonly keys: KeySet,
    private readonly settings: TokenSettings,
  ) {
    this.schema = claimsSchema(settings);
  }

  /**
   * The claims of a good token. Throws TOKEN_INVALID, or TOKEN_EXPIRED when nothing else is wrong; KeysUnavailableError when it
   * cannot be told.
   */
  async verify(token: string, now = Date.now()): Promise<TokenClaims> {
    const { header, claims } = this.read(token);
    const key = await this.keys.find(header.kid, header.alg);
    if (!key || !(await isSignedBy(token, key, header.alg))) throw tokenInvalid();
    const nowS = now / 1000;
    const { iss, aud, exp, iat, nbf = iat } = claims;
    const { issuer, audience, maxLifetimeS } = this.settings;
    const good =
      iss === issuer &&
      [aud].flat().includes(audience) &&
      iat <= nowS + LEEWAY_S &&
      nbf <= nowS + LEEWAY_S &&
      exp - iat <= maxLifetimeS;
    if (!good) throw tokenInvalid();
    if (isExpired(exp, now)) throw tokenExpired();
    const claim = (name: string) => (claims as Record<string, unknown>)[name] as string | undefined;
    const { sub, email, name, role, vendorCode, locale } = this.settings.claims;
    return {
      sub: claim(sub) as string,
      // For people to read; some directories have a blank where they have nothing.
      email: claim(email)?.trim() || null,
      name: claim(name)?.trim() || null,
      role: claim(role) ?? null,
      vendorCode: claim(vendorCode) ?? null,
      locale: claim(locale)?.trim() || null,
      iat,
      exp,
    };
  }

  // Everything that needs no key comes first: what is not a token costs no signature check and no fetch.
  private read(token: string) {
    if (token.length > MAX_LENGTH || !SHAPE.test(token)) throw tokenInvalid();
    const [header, payload, signature] = token.split('.').map(canonicalBytes);
    if (!header || !payload || !signature) throw tokenInvalid();
    const parsed = Header.safeParse(strictJson(header));
    const claims = this.schema.safeParse(strictJson(payload));
    if (!parsed.success || !claims.success) throw tokenInvalid();
    const alg = this.settings.algorithms.find((algorithm) => algorithm === parsed.data.alg);
    if (!alg) throw tokenInvalid();
    return { header: { kid: parsed.data.kid, alg }, claims: claims.data };
  }
}

/** The bytes of a base64url text, or null when its last character holds bits that decode to nothing: two texts, one token. */
function canonicalBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

/** Parses JSON in UTF-8 without repeated keys; null for anything else. */
function strictJson(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes);
    const json: unknown = JSON.parse(text);
    return membersWritten(text) === membersKept(json) ? json : null;
  } catch {
    return null;
  }
}

// Every member has one colon outside strings. JSON.parse keeps the last of two equal keys, however they are escaped, so a
// repeated key is a colon more than there are members.
const membersWritten = (text: string): number => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;

function membersKept(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0;
  const inner = Object.values(json).reduce<number>((sum, value) => sum + membersKept(value), 0);
  return Array.isArray(json) ? inner : inner + Object.keys(json).length;
}

async function isSignedBy(token: string, key: Parameters<typeof compactVerify>[1], alg: Algorithm): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
