import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACTOR_SIZES } from '@po/contracts';
import { type SigningKey, signedToken, signingKey } from '@po/testing/identity-provider';
import { type OpenVerifier, ec, ed, header, openVerifier, refusalBy } from '../fixtures/token-verifier.js';
import { TokenVerifier } from './token.js';

const rsa = signingKey('rsa', 'RS256');
const stranger = signingKey('ec', 'ES256');

describe('TokenVerifier (header and claims)', () => {
  let opened: OpenVerifier;
  beforeAll(async () => {
    opened = await openVerifier({ keys: [ec, rsa, ed] });
  });
  afterAll(() => opened.close());

  const claims = (overrides: Record<string, unknown> = {}) => opened.provider.claims(overrides);
  const now = () => Math.floor(Date.now() / 1000);
  const refusal = (token: string, by = opened.verifier) => refusalBy(by, token);

  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ] as [string, SigningKey][])('accepts a valid %s token', async (_alg, key) => {
    const token = signedToken(
      key,
      claims({ email: 'a@b.example', name: 'Dana', vendor_code: 'ACME', role: 'VENDOR', locale: 'zh-CN', extra: [1] }),
    );
    await expect(opened.verifier.verify(token)).resolves.toMatchObject({
      sub: 'u-buyer',
      email: 'a@b.example',
      name: 'Dana',
      role: 'VENDOR',
      vendorCode: 'ACME',
      locale: 'zh-CN',
    });
  });

  it('reads absent claims as null, and accepts an audience list, typ at+jwt or none, and configured claim names', async () => {
    const token = signedToken(
      ec,
      claims({ aud: ['other', opened.provider.audience], role: undefined, job: 'ADMIN' }),
      header(),
    );
    await expect(opened.verifier.verify(token)).resolves.toMatchObject({ email: null, role: null, vendorCode: null });
    await expect(opened.verifier.verify(signedToken(ec, claims(), header({ typ: 'at+jwt' })))).resolves.toBeDefined();
    const renamed = new TokenVerifier(opened.keys, {
      ...opened.settings,
      claims: { ...opened.settings.claims, role: 'job', email: 'sub' },
    });
    await expect(renamed.verify(token)).resolves.toMatchObject({ role: 'ADMIN', email: 'u-buyer', sub: 'u-buyer' });
    expect(await refusal(signedToken(ec, claims({ sub: undefined }), header()), renamed)).toBe('TOKEN_INVALID');
  });

  it('treats a blank name, e-mail address, vendor code or locale as absent, and trims the others', async () => {
    const verified = (more: Record<string, unknown>) => opened.verifier.verify(signedToken(ec, claims(more), header()));
    expect(await verified({ name: '', email: ' ', vendor_code: ' ', locale: '' })).toMatchObject({
      name: null,
      vendorCode: null,
      email: null,
      locale: null,
    });
    expect(await verified({ name: ' Li Wei ', email: 'li@acme.example ', vendor_code: 'ACME ' })).toMatchObject({
      name: 'Li Wei',
      vendorCode: 'ACME',
      email: 'li@acme.example',
    });
  });

  it('identifies the user by a configured claim, and requires that claim as well as sub', async () => {
    const byOid = new TokenVerifier(opened.keys, {
      ...opened.settings,
      claims: { ...opened.settings.claims, sub: 'oid' },
    });
    const verified = (more: Record<string, unknown>) => signedToken(ec, claims(more), header());
    await expect(byOid.verify(verified({ oid: 'the-same-everywhere' }))).resolves.toMatchObject({
      sub: 'the-same-everywhere',
    });
    for (const lacking of [{}, { oid: '' }, { oid: 'x'.repeat(ACTOR_SIZES.sub + 1) }, { oid: 'a', sub: undefined }])
      expect(await refusal(verified(lacking), byOid)).toBe('TOKEN_INVALID');
  });

  it('accepts claims of maximum length, and a role of any length, which is refused later as unknown', async () => {
    const longest = {
      sub: 's'.repeat(255),
      email: 'e'.repeat(320),
      name: 'n'.repeat(200),
      vendor_code: 'v'.repeat(50),
      locale: 'l'.repeat(100),
      role: 'r'.repeat(1_000),
    };
    const { vendor_code: vendorCode, ...same } = longest;
    await expect(opened.verifier.verify(signedToken(ec, claims(longest), header()))).resolves.toMatchObject({
      ...same,
      vendorCode,
    });
  });

  it.each([
    [`${'n'.repeat(199)}\u{1F9F5}`, 'n'.repeat(199)],
    ['Li\tWei\r\n', 'Li Wei'],
    ['Li\uD800', 'Li\uFFFD'],
  ])('takes the name %j as %j, because a name is only shown', async (name, expected) => {
    const token = signedToken(ec, claims({ name }), header());
    await expect(opened.verifier.verify(token)).resolves.toMatchObject({ name: expected });
  });

  it('refuses an invalid e-mail address also if it is configured to be the name, too', async () => {
    const shared = new TokenVerifier(opened.keys, {
      ...opened.settings,
      claims: { ...opened.settings.claims, name: 'email' },
    });
    const valid = signedToken(ec, claims({ email: 'li@acme.example' }), header());
    await expect(shared.verify(valid)).resolves.toMatchObject({ name: 'li@acme.example', email: 'li@acme.example' });
    for (const email of ['a\u0007b', 'e'.repeat(321)])
      expect(await refusal(signedToken(ec, claims({ email }), header()), shared)).toBe('TOKEN_INVALID');
  });

  it('allows a clock difference of 60 s for exp, iat and nbf', async () => {
    for (const times of [{ exp: now() - 50 }, { iat: now() + 50 }, { nbf: now() + 50 }]) {
      await expect(opened.verifier.verify(signedToken(ec, claims(times), header()))).resolves.toBeDefined();
    }
  });

  it('reports TOKEN_EXPIRED only if nothing else is wrong', async () => {
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
    ['a sub of 256 characters', { sub: 'x'.repeat(256) }],
    ['a sub that is an object', { sub: { id: 1 } }],
    ['a sub that is a number', { sub: 1 }],
    ['a sub with a control character', { sub: 'a\nb' }],
    ['exp as text', { exp: '9999999999' }],
    ['exp with a fraction', { exp: 9_999_999_999.5 }],
    ['an exp ten years ahead', { exp: Math.floor(Date.now() / 1000) + 10 * 365 * 86_400 }],
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
    ['a vendor code of 51 characters', { vendor_code: 'x'.repeat(51) }],
    ['a locale of 101 characters', { locale: 'x'.repeat(101) }],
    ['a locale that is true', { locale: true }],
  ])('refuses %s', async (_what, overrides) => {
    expect(await refusal(signedToken(ec, claims(overrides), header()))).toBe('TOKEN_INVALID');
  });

  it.each<[string, Record<string, unknown>]>([
    ['alg none', { alg: 'none' }],
    ['alg HS256', { alg: 'HS256' }],
    ['an alg that does not match the key', { alg: 'RS256' }],
    ['no alg', { alg: undefined }],
    ['no kid', { kid: undefined }],
    ['an empty kid', { kid: '' }],
    ['a kid that is a number', { kid: 1 }],
    ['an unknown kid', { kid: 'nobody' }],
    ['an unknown typ', { typ: 'something' }],
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
    const pinned = new TokenVerifier(opened.keys, { ...opened.settings, algorithms: ['RS256'] });
    expect(await refusal(signedToken(ec, claims(), header()), pinned)).toBe('TOKEN_INVALID');
  });
});
