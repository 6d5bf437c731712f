import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signedToken, signingKey } from '@po/testing/identity-provider';
import { type OpenVerifier, ec, header, openVerifier, refusalBy } from '../fixtures/token-verifier.js';

const stranger = signingKey('ec', 'ES256');

describe('TokenVerifier (token encoding)', () => {
  let opened: OpenVerifier;
  beforeAll(async () => {
    opened = await openVerifier();
  });
  afterAll(() => opened.close());

  const claims = (overrides: Record<string, unknown> = {}) => opened.provider.claims(overrides);
  const refusal = (token: string) => refusalBy(opened.verifier, token);

  it('refuses a signature by another key, a changed payload and a truncated signature', async () => {
    expect(await refusal(signedToken(stranger, claims(), header()))).toBe('TOKEN_INVALID');
    const [head, , signature] = signedToken(ec, claims(), header()).split('.');
    const forged = Buffer.from(JSON.stringify(claims({ role: 'ADMIN' }))).toString('base64url');
    expect(await refusal(`${head}.${forged}.${signature}`)).toBe('TOKEN_INVALID');
    expect(await refusal(signedToken(ec, claims(), header()).slice(0, -4))).toBe('TOKEN_INVALID');
  });

  it('refuses repeated keys in header and payload, also when one is written with escapes', async () => {
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
    await expect(opened.verifier.verify(signedToken(ec, claims(colons), header()))).resolves.toBeDefined();
  });

  it('refuses a header or payload that is not a JSON object in UTF-8', async () => {
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

  it('refuses non-canonical base64url, whitespace and a wrong number of segments', async () => {
    const token = signedToken(ec, claims(), header());
    const [head = '', payload = '', signature = ''] = token.split('.');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // A signature of 64 bytes has 86 characters. The last one holds 2 of its bits, and 4 that the decoder ignores.
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

  it('refuses a token of more than 8 KiB', async () => {
    const long = signedToken(ec, claims({ filler: 'x'.repeat(8192) }), header());
    expect(await refusal(long)).toBe('TOKEN_INVALID');
    const fits = signedToken(ec, claims({ filler: 'x'.repeat(4096) }), header());
    await expect(opened.verifier.verify(fits)).resolves.toBeDefined();
  });
});
