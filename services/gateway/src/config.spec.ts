import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { configurationProblems } from '@po/platform';
import { GatewaySettings } from './config.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwkOf = (key: typeof privateKey, kid?: string) => JSON.stringify({ ...key.export({ format: 'jwk' }), kid });

const REQUIRED = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  AUTH_JWKS_URL: 'https://login.example.com/jwks.json',
  AUTH_ISSUER: 'https://login.example.com/',
  AUTH_AUDIENCE: 'po-collaboration',
  ACTOR_SIGNING_KEY: jwkOf(privateKey, 'k1'),
  REDIS_URL: 'redis://127.0.0.1:6379',
};

describe("the gateway's configuration", () => {
  it('has the documented defaults', () => {
    expect(GatewaySettings.parse(REQUIRED)).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      AUTH_ALLOW_HTTP: false,
      AUTH_ALGORITHMS: ['RS256', 'ES256', 'EdDSA'],
      AUTH_CLAIM_VENDOR_CODE: 'vendor_code',
      AUTH_JWKS_MAX_AGE_S: 300,
      AUTH_JWKS_STALE_S: 3600,
      AUTH_MAX_TOKEN_LIFETIME_S: 86_400,
      RATE_LIMIT_READS_PER_MINUTE: 600,
      RATE_LIMIT_WRITES_PER_MINUTE: 120,
      EXPORTS_PER_MINUTE: 60,
      EXPORTS_OPEN_PER_USER: 2,
      EXPORTS_OPEN_PER_GATEWAY: 10,
      EXPORT_DEADLINE_S: 600,
      EXPORT_MIN_BYTES_PER_SECOND: 16_384,
      UPLOADS_OPEN_PER_USER: 2,
      UPLOAD_MIN_BYTES_PER_SECOND: 16_384,
      UPLOAD_MEMORY_MIB: 64,
      CORS_ORIGINS: [],
      DOCS: false,
      PORTAL: false,
      PORTAL_OIDC_SCOPE: 'openid profile email',
      PORTAL_OIDC_ORIGINS: [],
    });
  });

  it.each([
    ['AUTH_JWKS_URL', 'ftp://login.example.com'],
    ['AUTH_JWKS_URL', 'http://login.example.com/jwks.json'],
    ['AUTH_JWKS_URL', 'http://127.0.0.1.example.com/jwks.json'],
    ['AUTH_JWKS_URL', 'https://gateway:hunter2@login.example.com/jwks.json'],
    ['PORTAL_OIDC_AUTHORITY', 'http://login.example.com'],
    ['PORTAL_OIDC_AUTHORITY', 'https://gateway@login.example.com'],
    ['AUTH_ALGORITHMS', 'RS256,HS256'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://portal.example.com/'],
    ['ACTOR_SIGNING_KEY', 'not json'],
    ['ACTOR_SIGNING_KEY', '{"kty":"OKP","crv":"Ed25519","kid":"k1","d":"short"}'],
    ['ACTOR_SIGNING_KEY', jwkOf(publicKey, 'k1')],
    ['ACTOR_SIGNING_KEY', jwkOf(privateKey)],
    ['KAFKA_BROKERS', 'kafka'],
    ['KAFKA_BROKERS', 'kafka:9092,kafka:0x1'],
    ['KAFKA_BROKERS', 'kafka:99999'],
    ['KAFKA_BROKERS', 'kafka://kafka:9092'],
    ['RATE_LIMIT_READS_PER_MINUTE', '-1'],
    ['UPLOAD_MEMORY_MIB', '4'],
    ['PORT', '70000'],
    ['REDIS_URL', undefined],
    ['PORTAL_OIDC_AUTHORITY', 'login.example.com'],
    ['PORTAL_OIDC_ORIGINS', 'https://token.example.com/token'],
  ])('reports %s with its meaning and an example if it is %s', (name, value) => {
    const parsed = GatewaySettings.safeParse({ ...REQUIRED, [name]: value });
    expect(parsed.success).toBe(false);
    const problems = parsed.error ? configurationProblems(GatewaySettings, parsed.error) : [];
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: .+; for example ${name}=`))]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each([
    ['http://127.0.0.1:8090/jwks.json', {}],
    ['http://localhost/jwks.json', {}],
    ['http://[::1]:8090/jwks.json', {}],
    ['http://identity-provider:8090/jwks.json', { AUTH_ALLOW_HTTP: 'true' }],
  ])("accepts %s for the key set and the portal's provider with %j", (url, allowed) => {
    const settings = { ...REQUIRED, AUTH_JWKS_URL: url, PORTAL_OIDC_AUTHORITY: url, ...allowed };
    expect(GatewaySettings.safeParse(settings).success).toBe(true);
  });

  it("requires the portal's sign-in settings if the portal is on, and reports them with all other problems", () => {
    const problemsOf = (changes: Record<string, string>) => {
      const { error } = GatewaySettings.safeParse({ ...REQUIRED, ...changes });
      return error ? configurationProblems(GatewaySettings, error).map((line) => line.split(':', 1)[0]) : [];
    };
    const portal = { PORTAL: 'true', PORTAL_OIDC_AUTHORITY: 'https://login.example.com' };
    expect(problemsOf({ PORTAL: 'true', PORT: 'x' })).toEqual([
      'PORT',
      'PORTAL_OIDC_AUTHORITY',
      'PORTAL_OIDC_CLIENT_ID',
    ]);
    expect(problemsOf(portal)).toEqual(['PORTAL_OIDC_CLIENT_ID']);
    expect(problemsOf({ ...portal, PORTAL_OIDC_CLIENT_ID: 'po-portal' })).toEqual([]);
    expect(problemsOf({ PORTAL: 'false' })).toEqual([]);
  });
});
