import { ACTOR_SIZES, ProblemError } from '@po/contracts';
import { compactVerify } from 'jose';
import { z } from 'zod';
import type { Algorithm, KeySet } from './key-set.js';

export interface TokenSettings {
  issuer: string;
  audience: string;
  algorithms: readonly Algorithm[];
  /** Maximum seconds between `iat` and `exp`. */
  maxLifetimeS: number;
  /** Name of each claim in the token. */
  claims: { sub: string; email: string; name: string; role: string; vendorCode: string; locale: string };
}

/** Claims of a valid token; an absent claim is null. */
export interface TokenClaims {
  /** Identifies the user. */
  sub: string;
  email: string | null;
  name: string | null;
  role: string | null;
  vendorCode: string | null;
  locale: string | null;
  /** Epoch seconds, like `exp`. */
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

// The role has no maximum length, because it is only compared with the known roles: one that is too long is refused as unknown.
// Claims listed later replace those of the same name: name and role first, because the others have stricter rules.
const claimsSchema = ({ claims: { name, role, sub, ...claims } }: TokenSettings) =>
  z.object({
    [name]: z.string().optional(),
    [role]: claimText.optional(),
    ...Object.fromEntries(
      (Object.keys(claims) as (keyof typeof claims)[]).map((claim) => [
        claims[claim],
        claimText.max(ACTOR_SIZES[claim]).optional(),
      ]),
    ),
    // Listed last: a claim name configured to be one of these must not make it optional.
    ...Object.fromEntries([[sub, userId]]),
    sub: userId,
    iss: z.string(),
    aud: z.union([z.string(), z.array(z.string())]),
    exp: seconds,
    iat: seconds,
    nbf: seconds.optional(),
  });

/** A name is only shown to people, so one that is too long or has control characters is adapted rather than refused. */
const shownName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, ACTOR_SIZES.name)
    .replace(/[\uD800-\uDBFF]$/, '');

/** The 401 for a token with any fault other than its age. */
export const tokenInvalid = (): ProblemError => unauthenticated('TOKEN_INVALID', ', error="invalid_token"');

/** The 401 for a token that has expired and has no other fault. */
export const tokenExpired = (): ProblemError => unauthenticated('TOKEN_EXPIRED', ', error="invalid_token"');

export const tokenMissing = (): ProblemError => unauthenticated('TOKEN_MISSING', '');

function unauthenticated(code: 'TOKEN_MISSING' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED', error: string): ProblemError {
  return new ProblemError(code, {}, { headers: { 'www-authenticate': `Bearer realm="po-collaboration"${error}` } });
}

/** Whether a token has expired at `now` (epoch milliseconds), with the leeway. */
export const isExpired = (exp: number, now: number): boolean => now / 1000 >= exp + LEEWAY_S;

/** Verifies user tokens: compact JWS signed by the identity provider. */
export class TokenVerifier {
  private readonly schema: ReturnType<typeof claimsSchema>;

  constructor(
    private readonly keys: KeySet,
    private readonly settings: TokenSettings,
  ) {
    this.schema = claimsSchema(settings);
  }

  /**
   * Returns the claims of a valid token. Throws TOKEN_INVALID, TOKEN_EXPIRED if nothing else is wrong, or KeysUnavailableError if the keys
   * are unavailable.
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
      // Some directories send a blank for a missing value, or values with surrounding blanks.
      email: claim(email)?.trim() || null,
      name: shownName(claim(name) ?? '') || null,
      role: claim(role) ?? null,
      vendorCode: claim(vendorCode)?.trim() || null,
      locale: claim(locale)?.trim() || null,
      iat,
      exp,
    };
  }

  // Checks that need no key come first, so that a malformed token costs no signature check and no fetch.
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

/** Decodes base64url. Null if the last character sets bits that the decoder ignores: one token must not have two texts. */
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

// Every member has one colon outside of strings. JSON.parse keeps the last of two equal keys, however they are escaped, so a repeated key
// makes more colons than members.
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
