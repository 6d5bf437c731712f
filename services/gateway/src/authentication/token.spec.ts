import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '../../../../test/support/eventually.js';
import {
  IdentityProvider,
  type SigningKey,
  signedToken,
  signingKey,
} from '../../../../test/support/identity-provider.js';
import { ALGORITHMS, KeySet } from './key-set.js';
import { type TokenSettings, TokenVerifier } from './token.js';

const rsa = signingKey('rsa', 'RS256');
const ec = signingKey('ec', 'ES256');
const ed = signingKey('ed', 'EdDSA');
const stranger = signingKey('ec', 'ES256');

describe('TokenVerifier', () => {
  let provider: IdentityProvider;
  let keys: KeySet;
  let settings: TokenSettings;
  let verifier: TokenVerifier;

  beforeAll(async () => {
    provider = await IdentityProvider.start();
    provider.keys = [ec, rsa, ed];
    keys = new KeySet({
      url: provider.url,
      algorithms: ALGORITHMS,
      maxAgeS: 300,
      staleS: 3600,
      logger: pino({ level: 'silent' }),
    });
    keys.start();
    await eventually('the key set is there', () => keys.available);
    settings = {
      issuer: provider.issuer,
      audience: provider.audience,
      algorithms: ALGORITHMS,
      maxLifetimeS: 86_400,
      claims: { email: 'email', name: 'name', role: 'role', vendorCode: 'vendor_code', locale: 'locale' },
    };
    verifier = new TokenVerifier(keys, settings);
  });
  afterAll(async () => {
    keys.stop();
    await provider.stop();
  });

  const now = () => Math.floor(Date.now() / 1000);
  const claims = (overrides: Record<string, unknown> = {}) => provider.claims(overrides);
  const header = (overrides: Record<string, unknown> = {}) => ({ alg: 'ES256', kid: 'ec', ...overrides });
  /** The code a token is refused with; null for one that is accepted. */
  const refusal = (token: string, by = verifier): Promise<string | null> =>
    by.verify(token).then(
      () => null,
      (error: { code: string }) => error.code,
    );

  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ] as [string, SigningKey][])('accepts a good %s token', async (_alg, key) => {
    const token = signedToken(
      key,
      claims({ email: 'a@b.example', name: 'Dana', vendor_code: 'ACME', role: 'VENDOR', locale: 'zh-CN', extra: [1] }),
    );
    await expect(verifier.verify(token)).resolves.toMatchObject({
      sub: 'u-buyer',
      email: 'a@b.example',
      name: 'Dana',
      role: 'VENDOR',
      vendorCode: 'ACME',
      locale: 'zh-CN',
    });
  });

  it('reads absent claims as null, an audience list, typ at+jwt or none, and configured names', async () => {
    const token = signedToken(
      ec,
      claims({ aud: ['other', provider.audience], role: undefined, job: 'ADMIN' }),
      header(),
    );
    await expect(verifier.verify(token)).resolves.toMatchObject({ email: null, role: null, vendorCode: null });
    await expect(verifier.verify(signedToken(ec, claims(), header({ typ: 'at+jwt' })))).resolves.toBeDefined();
    const renamed = new TokenVerifier(keys, { ...settings, claims: { ...settings.claims, role: 'job', email: 'sub' } });
    await expect(renamed.verify(token)).resolves.toMatchObject({ role: 'ADMIN', email: 'u-buyer', sub: 'u-buyer' });
    expect(await refusal(signedToken(ec, claims({ sub: undefined }), header()), renamed)).toBe('TOKEN_INVALID');
  });

  it('takes claims of the greatest length, and a role of any: one that nobody knows is refused as that', async () => {
    const longest = {
      ...{ sub: 's'.repeat(200), email: 'e'.repeat(320), name: 'n'.repeat(200) },
      ...{ vendor_code: 'v'.repeat(50), locale: 'l'.repeat(100), role: 'r'.repeat(1_000) },
    };
    const { vendor_code: vendorCode, ...same } = longest;
    await expect(verifier.verify(signedToken(ec, claims(longest), header()))).resolves.toMatchObject({
      ...same,
      vendorCode,
    });
  });

  it('allows 60 s on all three times', async () => {
    for (const times of [{ exp: now() - 50 }, { iat: now() + 50 }, { nbf: now() + 50 }]) {
      await expect(verifier.verify(signedToken(ec, claims(times), header()))).resolves.toBeDefined();
    }
  });

  it('says TOKEN_EXPIRED only when nothing else is wrong', async () => {
    const expired = { iat: now() - 7200, exp: now() - 3600 };
    const token = signedToken(ec, claims(expired), header());
    expect(await refusal(token)).toBe('TOKEN_EXPIRED');
    expect(await refusal(signedToken(ec, claims({ exp: now() - 61 }), header()))).toBe('TOKEN_EXPIRED');
    expect(await refusal(signedToken(stranger, claims(expired), header()))).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, claims({ ...expired, iss: 'https://elsewhere.example/' }), header()))).toBe(
      'TOKEN_INVALID',
    );
    expect(await refusal(signedToken(ec, claims({ ...expired, aud: 'other' }), header()))).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, claims({ ...expired, role: 7 }), header()))).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, claims({ ...expired, nbf: now() + 600 }), header()))).toBe('TOKEN_INVALID');
  });

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://elsewhere.example/' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['an audience that is an object', { aud: { 0: 'po-collaboration' } }],
    ['no exp', { exp: undefined }],
    ['no iat', { iat: undefined }],
    ['no sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['a sub of 201 characters', { sub: 'x'.repeat(201) }],
    ['a sub that is an object', { sub: { id: 1 } }],
    ['a sub that is a number', { sub: 1 }],
    ['a sub with a control character', { sub: 'a\nb' }],
    ['exp as text', { exp: '9999999999' }],
    ['exp with a fraction', { exp: 9_999_999_999.5 }],
    ['exp years ahead', { exp: Math.floor(Date.now() / 1000) + 10 * 365 * 86_400 }],
    ['a lifetime above the bound', { exp: Math.floor(Date.now() / 1000) + 86_500 }],
    ['iat in the future', { iat: Math.floor(Date.now() / 1000) + 120, exp: Math.floor(Date.now() / 1000) + 3600 }],
    ['iat as text', { iat: 'now' }],
    ['iat null', { iat: null }],
    ['nbf in the future', { nbf: Math.floor(Date.now() / 1000) + 120 }],
    ['nbf as text', { nbf: '0' }],
    ['a role that is a list', { role: ['BUYER'] }],
    ['a role that is null', { role: null }],
    ['a vendor code that is a number', { vendor_code: 12 }],
    ['an e-mail that is an object', { email: {} }],
    ['an e-mail of 321 characters', { email: 'x'.repeat(321) }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a vendor code of 51 characters', { vendor_code: 'x'.repeat(51) }],
    ['a locale of 101 characters', { locale: 'x'.repeat(101) }],
    ['a name with a control character', { name: 'a\u0007b' }],
    ['a name with a lone surrogate', { name: '\ud800' }],
    ['a locale that is true', { locale: true }],
  ])('refuses %s', async (_what, overrides) => {
    expect(await refusal(signedToken(ec, claims(overrides), header()))).toBe('TOKEN_INVALID');
  });

  it.each<[string, Record<string, unknown>]>([
    ['alg none', { alg: 'none' }],
    ['alg HS256', { alg: 'HS256' }],
    ['an alg that is not the key`s', { alg: 'RS256' }],
    ['no alg', { alg: undefined }],
    ['no kid', { kid: undefined }],
    ['an empty kid', { kid: '' }],
    ['a kid that is a number', { kid: 1 }],
    ['an unknown kid', { kid: 'nobody' }],
    ['typ something', { typ: 'something' }],
    ['jku', { jku: 'https://attacker.example/keys' }],
    ['x5u', { x5u: 'https://attacker.example/cert' }],
    ['jwk', { jwk: stranger.jwk }],
    ['crit', { crit: ['exp'], exp: 1 }],
    ['b64', { b64: false }],
    ['zip', { zip: 'DEF' }],
  ])('refuses a header with %s', async (_what, overrides) => {
    expect(await refusal(signedToken(ec, claims(), header(overrides)))).toBe('TOKEN_INVALID');
  });

  it('refuses an algorithm that is not configured', async () => {
    const pinned = new TokenVerifier(keys, { ...settings, algorithms: ['RS256'] });
    expect(await refusal(signedToken(ec, claims(), header()), pinned)).toBe('TOKEN_INVALID');
  });

  it('refuses another key`s signature, a changed payload and a cut signature', async () => {
    expect(await refusal(signedToken(stranger, claims(), header()))).toBe('TOKEN_INVALID');
    const [head, , signature] = signedToken(ec, claims(), header()).split('.');
    const forged = Buffer.from(JSON.stringify(claims({ role: 'ADMIN' }))).toString('base64url');
    expect(await refusal(`${head}.${forged}.${signature}`)).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, claims(), header()).slice(0, -4))).toBe('TOKEN_INVALID');
  });

  it('refuses repeated keys, also when one is written with escapes, in header and payload', async () => {
    const payload = JSON.stringify(claims());
    for (const repeated of [
      payload.replace('{', '{"role":"ADMIN",'),
      payload.replace('{', String.raw`{"r\u006fle":"ADMIN",`),
      payload.replace('{', '{"deep":[{"a":1,"a":2}],'),
    ]) {
      expect(await refusal(signedToken(ec, repeated, header()))).toBe('TOKEN_INVALID');
    }
    expect(await refusal(signedToken(ec, claims(), '{"alg":"ES256","kid":"ec","kid":"ec"}'))).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, claims(), String.raw`{"alg":"ES256","kid":"ec","k\u0069d":"ec"}`))).toBe(
      'TOKEN_INVALID',
    );
    const colons = { name: 'a:b "c": d\\', nested: { 'x:y': [':'] } };
    await expect(verifier.verify(signedToken(ec, claims(colons), header()))).resolves.toBeDefined();
  });

  it('refuses what is not JSON objects in UTF-8', async () => {
    const payload = JSON.stringify(claims());
    expect(
      await refusal(signedToken(ec, Buffer.concat([Buffer.from(payload.slice(0, -1)), Buffer.from([0x22, 0xff])]))),
    ).toBe('TOKEN_INVALID');
    expect(
      await refusal(signedToken(ec, Buffer.from(payload.replace('u-buyer', 'u-\u00e9'), 'latin1'), header())),
    ).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, `\ufeff${payload}`, header()))).toBe('TOKEN_INVALID');
    for (const bad of ['', '[]', 'null', '"text"', '7', '{', `${payload}x`]) {
      expect(await refusal(signedToken(ec, bad, header()))).toBe('TOKEN_INVALID');
      expect(await refusal(signedToken(ec, payload, bad))).toBe('TOKEN_INVALID');
    }
  });

  it('refuses non-canonical base64url, whitespace and wrong shapes', async () => {
    const token = signedToken(ec, claims(), header());
    const [head = '', payload = '', signature = ''] = token.split('.');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // 64 bytes of signature are 86 characters: the last holds 2 bits and 4 that decode to nothing.
    const last = alphabet.indexOf(signature.at(-1) ?? '');
    const twin = `${signature.slice(0, -1)}${alphabet[last ^ 1]}`;
    expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
    for (const bad of [
      `${head}.${payload}.${twin}`,
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `${token}=`,
      `${token}.`,
      `${token}.${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `.${payload}.${signature}`,
      `${head}..${signature}`,
      `${token}, ${token}`,
      'x',
      '',
      '..',
      'a.b.c',
    ]) {
      expect(await refusal(bad)).toBe('TOKEN_INVALID');
    }
  });

  it('refuses more than 8 KiB', async () => {
    const long = signedToken(ec, claims({ filler: 'x'.repeat(8192) }), header());
    expect(await refusal(long)).toBe('TOKEN_INVALID');
    const fits = signedToken(ec, claims({ filler: 'x'.repeat(4096) }), header());
    await expect(verifier.verify(fits)).resolves.toBeDefined();
  });
});
