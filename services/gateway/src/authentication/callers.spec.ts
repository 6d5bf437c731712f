import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { type IdentityProvider, signedToken, signingKey } from '@po/testing/identity-provider';
import { DEFAULTS } from '../fixtures/defaults.js';
import { type OpenVerifier, openVerifier } from '../fixtures/token-verifier.js';
import { Callers } from './callers.js';
import { ALGORITHMS, KeySet } from './key-set.js';
import { TokenVerifier } from './token.js';
import { tokenSettingsOf } from '../start.js';

describe('Callers', () => {
  let opened: OpenVerifier;
  let provider: IdentityProvider;
  let callers: Callers;

  beforeAll(async () => {
    opened = await openVerifier({ maxAgeS: 0.1 });
    ({ provider } = opened);
    callers = new Callers(opened.verifier, opened.keys);
  });
  afterAll(() => opened.close());

  it('identifies a vendor with its vendor code, and ignores a vendor code on another role', async () => {
    const vendor = provider.token({ role: 'VENDOR', vendor_code: 'ACME', email: 'a@b.example' });
    const actor = {
      sub: 'u-buyer',
      email: 'a@b.example',
      name: null,
      role: 'VENDOR',
      vendorCode: 'ACME',
      locale: null,
    };
    const { iat, exp } = decodeJwt(vendor);
    await expect(callers.identify([vendor])).resolves.toEqual({
      actor,
      expiresAt: Number(exp) * 1000,
      issuedAt: iat,
      isRefused: expect.any(Function),
    });
    const buyer = provider.token({ role: 'BUYER', vendor_code: 'ACME' });
    await expect(callers.identify([buyer])).resolves.toMatchObject({ actor: { role: 'BUYER', vendorCode: null } });
  });

  it('tolerates one Bearer prefix', async () => {
    const token = provider.token();
    await expect(callers.identify([`Bearer ${token}`])).resolves.toMatchObject({ actor: { role: 'BUYER' } });
    await expect(callers.identify([`Bearer Bearer ${token}`])).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it.each([
    ['no header', [], 'TOKEN_MISSING'],
    ['a blank header', [''], 'TOKEN_MISSING'],
    ['a header of spaces', ['  '], 'TOKEN_MISSING'],
    ['two headers', ['a.b.c', 'a.b.c'], 'TOKEN_INVALID'],
    ['two headers, one blank', ['', 'a.b.c'], 'TOKEN_INVALID'],
  ])('refuses a request with %s: %s', async (_what, values, code) => {
    await expect(callers.identify(values)).rejects.toMatchObject({
      code,
      options: { headers: { 'www-authenticate': expect.stringContaining('Bearer') } },
    });
  });

  it.each([
    [{ role: undefined }, 'ROLE_NOT_ALLOWED'],
    [{ role: '' }, 'ROLE_NOT_ALLOWED'],
    [{ role: 'SYSTEM' }, 'ROLE_NOT_ALLOWED'],
    [{ role: 'buyer' }, 'ROLE_NOT_ALLOWED'],
    [{ role: 'toString' }, 'ROLE_NOT_ALLOWED'],
    [{ role: 'VENDOR' }, 'VENDOR_NOT_LINKED'],
    [{ role: 'VENDOR', vendor_code: ' ' }, 'VENDOR_NOT_LINKED'],
  ])('refuses the claims %j with %s, also when the token is cached', async (claims, code) => {
    const token = provider.token(claims);
    await expect(callers.identify([token])).rejects.toMatchObject({ code });
    await expect(callers.identify([token])).rejects.toMatchObject({ code });
  });

  it('says which roles there are to a user whose role is unknown', async () => {
    await expect(callers.identify([provider.token({ role: 'buyer' })])).rejects.toMatchObject({
      options: { hidden: { roles: ['VENDOR', 'BUYER', 'ADMIN', 'VIEWER'] } },
    });
  });

  it('caches a valid token only until it expires', async () => {
    const token = provider.token();
    const exp = Number(decodeJwt(token).exp);
    await expect(callers.identify([token])).resolves.toBeDefined();
    await expect(callers.identify([token], (exp + 59) * 1000)).resolves.toBeDefined();
    await expect(callers.identify([token], (exp + 62) * 1000)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it('discards a cached token whose key was removed', async () => {
    const token = provider.token();
    await expect(callers.identify([token])).resolves.toBeDefined();
    provider.keys = [signingKey('k2')];
    await eventually('the token is refused', () =>
      callers.identify([token]).then(
        () => false,
        (error: { code: string }) => error.code === 'TOKEN_INVALID',
      ),
    );
    await expect(callers.identify([provider.token()])).resolves.toBeDefined();
  });
});

describe('Callers without keys', () => {
  it('answers 503 with Retry-After to a signed token, and 401 to a malformed one', async () => {
    const keys = new KeySet({
      url: 'http://127.0.0.1:1/',
      algorithms: ALGORITHMS,
      maxAgeS: 300,
      staleS: 3600,
      logger: pino({ level: 'silent' }),
    });
    const settings = { ...tokenSettingsOf(DEFAULTS), issuer: 'i', audience: 'a' };
    const callers = new Callers(new TokenVerifier(keys, settings), keys);
    const now = Math.floor(Date.now() / 1000);
    const token = signedToken(signingKey('k'), { iss: 'i', aud: 'a', sub: 's', iat: now, exp: now + 60 });
    await expect(callers.identify([token])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      options: { headers: { 'retry-after': '5' } },
    });
    await expect(callers.identify(['a.b.c'])).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    keys.stop();
  });
});
