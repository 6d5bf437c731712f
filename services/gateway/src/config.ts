import {
  actorSigningKey,
  commaList,
  commonSettings,
  flag,
  kafkaRules,
  loadConfig,
  nonNegativeInteger,
  port,
  positiveInteger,
  redisRules,
  redisTlsSettings,
  redisUrl,
  setting,
  withCrossFieldRules,
  withRedisTls,
} from '@po/platform';
import { z } from 'zod';
import { ALGORITHMS } from './authentication/key-set.js';

/** Maximum of the settings that become timers. Node.js fires a timer of more than 24 days immediately. */
const DAY_S = 86_400;

// `fetch` rejects a URL with a user or password, and its error contains the whole URL.
const webUrl = z.url({ protocol: /^https?$/ }).refine((url) => !/^[^/]*\/\/[^/?#]*@/.test(url), {
  error: 'must not contain a user or password',
});

const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;

const claim = (name: string) => setting(z.string().min(1).default(name), `token claim with the user's ${name}`);

const origins = commaList.pipe(
  z.array(z.string().refine(isOrigin, { error: 'must be origins such as https://portal.example.com' })),
);

const Variables = z.object({
  ...commonSettings,
  PORT: setting(port.default(8080), 'port of the HTTP API'),
  HOST: setting(z.string().default('0.0.0.0'), 'address the HTTP API binds to; :: for IPv6', '127.0.0.1'),
  AUTH_JWKS_URL: setting(
    webUrl,
    "the identity provider's JSON Web Key Set",
    'https://login.example.com/.well-known/jwks.json',
  ),
  AUTH_ALLOW_HTTP: setting(flag, 'allows http to other hosts in AUTH_JWKS_URL and PORTAL_OIDC_AUTHORITY', 'true'),
  AUTH_ISSUER: setting(z.string().min(1), 'issuer (iss) of the tokens', 'https://login.example.com/'),
  AUTH_AUDIENCE: setting(z.string().min(1), 'audience (aud) that the tokens must name', 'po-collaboration'),
  AUTH_ALGORITHMS: setting(
    commaList.pipe(z.array(z.enum(ALGORITHMS))).default([...ALGORITHMS]),
    'accepted signature algorithms, of RS256, ES256 and EdDSA',
    'RS256,ES256',
  ),
  AUTH_CLAIM_SUB: setting(
    z.string().min(1).default('sub'),
    'token claim that identifies the user, such as `oid`; `sub` is needed too',
  ),
  AUTH_CLAIM_EMAIL: claim('email'),
  AUTH_CLAIM_NAME: claim('name'),
  AUTH_CLAIM_ROLE: claim('role'),
  AUTH_CLAIM_VENDOR_CODE: claim('vendor_code'),
  AUTH_CLAIM_LOCALE: claim('locale'),
  AUTH_JWKS_MAX_AGE_S: setting(
    positiveInteger.max(DAY_S).default(300),
    'seconds for which a key set is fresh, at most a day; refreshed after half of that',
  ),
  AUTH_JWKS_STALE_S: setting(
    nonNegativeInteger.default(3600),
    'further seconds for which a key set is used while the identity provider does not answer',
  ),
  AUTH_MAX_TOKEN_LIFETIME_S: setting(
    positiveInteger.default(86_400),
    'maximum lifetime (exp - iat) of a token, in seconds',
  ),
  ACTOR_SIGNING_KEY: actorSigningKey,
  REDIS_URL: setting(
    redisUrl,
    'Redis shared by all gateways: rate limits, open live streams, and change signals',
    'rediss://gateway:secret@redis:6379',
  ),
  ...redisTlsSettings,
  RATE_LIMIT_READS_PER_MINUTE: setting(nonNegativeInteger.default(600), 'reads per user and minute; 0 = no limit'),
  RATE_LIMIT_WRITES_PER_MINUTE: setting(nonNegativeInteger.default(120), 'writes per user and minute; 0 = no limit'),
  EXPORTS_PER_MINUTE: setting(nonNegativeInteger.default(60), 'exports per user and minute; 0 = no limit'),
  EXPORTS_OPEN_PER_USER: setting(
    positiveInteger.default(2),
    'exports that a user may have open at a time, across all gateways',
  ),
  EXPORTS_OPEN_PER_GATEWAY: setting(
    positiveInteger.default(10),
    'exports that one gateway runs at a time, for all users together',
  ),
  EXPORT_DEADLINE_S: setting(
    positiveInteger.max(DAY_S).default(600),
    'seconds after which an unfinished download is aborted, at most a day',
  ),
  EXPORT_MIN_BYTES_PER_SECOND: setting(
    nonNegativeInteger.default(16_384),
    'a download, or an answer above 64 KiB, is aborted if it is slower than this for 30 s; 0 = no limit',
  ),
  UPLOADS_OPEN_PER_USER: setting(
    positiveInteger.default(2),
    'bodies of more than 64 KiB that a user may send at a time, across all gateways',
  ),
  UPLOAD_MIN_BYTES_PER_SECOND: setting(
    nonNegativeInteger.default(16_384),
    'a body of more than 64 KiB is aborted if it is slower than this for 10 s; 0 = no limit',
  ),
  UPLOAD_MEMORY_MIB: setting(
    // At least MAX_BODY_BYTES: the client of a body that never fits would be told to retry forever.
    positiveInteger.min(5).default(64),
    'memory of one gateway for bodies of more than 64 KiB, in MiB; at least 5, the size of the largest',
  ),
  CORS_ORIGINS: setting(
    origins.default([]),
    'origins whose pages may call the API, separated by commas; none if absent',
    'https://portal.example.com',
  ),
  DOCS: setting(flag, 'serves /docs and /problems, the pages for developers of clients, without a token', 'true'),
  PORTAL: setting(flag, 'serves the portal at /', 'true'),
  PORTAL_OIDC_AUTHORITY: setting(
    webUrl.optional(),
    'issuer URL of the identity provider that the portal signs in with; needed with PORTAL',
    'https://login.example.com',
  ),
  PORTAL_OIDC_CLIENT_ID: setting(
    z.string().min(1).optional(),
    "the portal's client ID at this provider, a public client with PKCE; needed with PORTAL",
    'po-portal',
  ),
  PORTAL_OIDC_SCOPE: setting(
    z.string().min(1).default('openid profile email'),
    'scopes that the portal requests, separated by spaces',
  ),
  PORTAL_OIDC_ORIGINS: setting(
    origins.default([]),
    "origins of the identity provider's endpoints if not that of its issuer URL, separated by commas",
    'https://token.example.com',
  ),
});

const portalRules = ['PORTAL_OIDC_AUTHORITY', 'PORTAL_OIDC_CLIENT_ID'].map((setting) => ({
  setting,
  error: 'is needed if PORTAL is true',
  holds: (all: Readonly<Record<string, unknown>>) => all['PORTAL'] !== true || all[setting] !== undefined,
}));

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an attacker on the network could replace the keys. A value that is not a web URL is refused by its own rule. */
const isForgeable = (url: unknown): boolean => {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
};

const httpsRules = ['AUTH_JWKS_URL', 'PORTAL_OIDC_AUTHORITY'].map((setting) => ({
  setting,
  error: 'must use https for other hosts than this machine, unless AUTH_ALLOW_HTTP is true',
  holds: (all: Readonly<Record<string, unknown>>) => all['AUTH_ALLOW_HTTP'] === true || !isForgeable(all[setting]),
}));

/** Schema of the gateway's environment, usable without starting anything. */
export const GatewaySettings = withCrossFieldRules(Variables, [
  ...kafkaRules,
  ...redisRules,
  ...portalRules,
  ...httpsRules,
]);
export type Config = z.infer<typeof GatewaySettings>;

/** Reads the environment. If it is invalid, reports every problem and exits with 78. */
export const readConfig = (): Config => withRedisTls(loadConfig(GatewaySettings));
