import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { type RunningIdentityProvider, startIdentityProvider } from './identity-provider.js';
import { portalClient } from './sign-in/portal-client.js';

const PORTAL = 'http://127.0.0.1:8080';
const CALLBACK = `${PORTAL}/signed-in`;
const LIFETIME_S = 70;
const key = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: 'k1',
  alg: 'RS256',
  use: 'sig',
};
const identity = { key, issuer: 'https://id.test.example', audience: 'purchase-orders' };

describe('the demo identity provider', () => {
  let provider: RunningIdentityProvider;
  let verifier: string;
  beforeAll(async () => {
    const client = portalClient([PORTAL]);
    provider = await startIdentityProvider({ identity, client, port: 0, tokenLifetimeS: LIFETIME_S });
  });
  afterAll(() => provider.stop());
  beforeEach(() => {
    verifier = randomBytes(32).toString('base64url');
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(provider.authority + path, { redirect: 'manual', ...init });
  /** Sends an authorization request with these changes; null removes a parameter. */
  const authorize = (changes: Record<string, string | null> = {}, cookie = '') => {
    const parameters = {
      client_id: 'po-portal',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid profile',
      state: 's-1',
      nonce: 'n-1',
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      ...changes,
    };
    const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
    return ask(`/authorize?${new URLSearchParams(given).toString()}`, { headers: { cookie } });
  };
  const sentTo = (response: Response) => new URL(response.headers.get('location') ?? '');
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const codeFor = async (user: string) => sentTo(await authorize({ login_hint: user })).searchParams.get('code') ?? '';
  const exchange = async (changes: Record<string, string>, headers: Record<string, string> = {}) => {
    const form = {
      grant_type: 'authorization_code',
      client_id: 'po-portal',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...changes,
    };
    const response = await ask('/token', { method: 'POST', body: new URLSearchParams(form), headers });
    return { status: response.status, body: (await response.json()) as Record<string, string>, response };
  };

  it('serves its discovery document', async () => {
    const response = await ask('/.well-known/openid-configuration');
    const document = (await response.json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      issuer: provider.authority,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
    });
    expect(document.demo_users).toContainEqual(
      expect.objectContaining({ login_hint: 'vendor:ACME', name: '李伟', role: 'VENDOR', vendor_code: 'ACME' }),
    );
    expect(await (await ask(new URL(String(document.jwks_uri)).pathname)).json()).toEqual({
      keys: [expect.not.objectContaining({ d: expect.anything() })],
    });
  });

  it('lets the user choose an account and then continues the same request', async () => {
    const page = await authorize();
    const text = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const links = [...text.matchAll(/href="(\/authorize[^"]+)"/g)].map(([, link = '']) =>
      link.replaceAll('&#38;', '&'),
    );
    expect(links).toHaveLength(8);
    const chosen = await ask(links.find((link) => link.includes('vendor%3ABOLT')) ?? '');
    expect(sentTo(chosen).searchParams.get('state')).toBe('s-1');
    const { body } = await exchange({ code: sentTo(chosen).searchParams.get('code') ?? '' });
    expect(JSON.parse(Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      vendor_code: 'BOLT',
    });
  });

  it('exchanges a code for an access token for the gateway and an ID token for the portal', async () => {
    const { status, body, response } = await exchange({ code: await codeFor('vendor:ACME') });
    expect([status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: LIFETIME_S, scope: 'openid profile' });
    const keys = createRemoteJWKSet(new URL(provider.jwksUrl));
    const { issuer, audience } = identity;
    const access = await jwtVerify(body.access_token ?? '', keys, { issuer, audience });
    expect(access.payload).toMatchObject({ sub: 'demo-acme', role: 'VENDOR', vendor_code: 'ACME', locale: 'zh' });
    expect((access.payload.exp ?? 0) - (access.payload.iat ?? 0)).toBe(LIFETIME_S);
    const id = await jwtVerify(body.id_token ?? '', keys, { issuer: provider.authority, audience: 'po-portal' });
    expect(id.payload).toMatchObject({ sub: 'demo-acme', nonce: 'n-1' });
  });

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: `${PORTAL}/signed-in/silently` }],
  ])('gives no token for %s and invalidates the code', async (_what, changes) => {
    const code = await codeFor('buyer');
    expect(await exchange({ code, ...changes })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await exchange({ code })).body).toEqual({ error: 'invalid_grant' });
  });

  it.each([
    ['https://evil.example/signed-in', 'po-portal'],
    [`${CALLBACK}/`, 'po-portal'],
    [`${CALLBACK}?x=1`, 'po-portal'],
    [CALLBACK, 'another'],
  ])('does not redirect to %s for the client %s', async (redirect_uri, client_id) => {
    const response = await authorize({ redirect_uri, client_id, login_hint: 'buyer' });
    expect([response.status, response.headers.get('location'), response.headers.get('set-cookie')]).toEqual([
      400,
      null,
      null,
    ]);
  });

  it.each([
    ['invalid_request', { code_challenge: null }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_scope', { scope: 'profile' }],
    ['login_required', { prompt: 'none', login_hint: null }],
  ])('redirects to the portal with the error %s', async (error, changes) => {
    const response = await authorize({ login_hint: 'buyer', ...changes });
    const { origin, pathname, searchParams } = sentTo(response);
    expect([origin + pathname, searchParams.get('error'), searchParams.get('state')]).toEqual([CALLBACK, error, 's-1']);
    expect([searchParams.get('code'), response.headers.get('set-cookie')]).toEqual([null, null]);
  });

  describe('the signed-in user', () => {
    let cookie: string;
    beforeEach(async () => {
      cookie = cookieOf(await authorize({ login_hint: 'buyer' }));
    });
    const outcome = (response: Response) =>
      response.status === 200 ? 'page' : (sentTo(response).searchParams.get('error') ?? 'code');

    it.each([
      ['code', { prompt: 'none' }],
      ['code', {}],
      ['login_required', { prompt: 'none', login_hint: 'viewer' }],
      ['page', { prompt: 'login' }],
      ['code', { prompt: 'login', login_hint: 'viewer' }],
    ])('gets a %s for the request %j', async (expected, changes) => {
      expect(outcome(await authorize(changes, `other=1; ${cookie}`))).toBe(expected);
    });

    it('is replaced by the user of a login hint', async () => {
      const switched = await authorize({ login_hint: 'viewer', prompt: 'login' }, cookie);
      expect(switched.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; /);
      const silent = await authorize({ prompt: 'none' }, cookieOf(switched));
      const { body } = await exchange({ code: sentTo(silent).searchParams.get('code') ?? '' });
      const { payload } = await jwtVerify(body.access_token ?? '', createRemoteJWKSet(new URL(provider.jwksUrl)));
      expect(payload.sub).toBe('demo-viewer');
    });

    it('is removed at sign-out, which redirects only to the portal', async () => {
      const end = (uri: string) => ask(`/end-session?post_logout_redirect_uri=${encodeURIComponent(uri)}`);
      const ended = await end(`${PORTAL}/signed-out`);
      expect(sentTo(ended).href).toBe(`${PORTAL}/signed-out`);
      expect(ended.headers.get('set-cookie')).toContain('Max-Age=0');
      expect(outcome(await authorize({ prompt: 'none' }, cookieOf(ended)))).toBe('login_required');
      const elsewhere = await end('https://evil.example/');
      expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([200, null]);
    });
  });

  it.each([
    [PORTAL, PORTAL],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['https://evil.example', null],
    [`${PORTAL}0`, null],
  ])('answers the origin %s with the CORS header %s', async (origin, allowed) => {
    const { response } = await exchange({ code: 'x' }, { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
    const described = await ask('/.well-known/openid-configuration', { headers: { origin } });
    expect(described.headers.get('access-control-allow-origin')).toBe(allowed);
  });

  it('refuses a form that is too long', async () => {
    const body = new URLSearchParams({ code: 'x'.repeat(20_000) });
    expect((await ask('/token', { method: 'POST', body })).status).toBe(400);
  });
});
