import { describe, expect, it } from '@jest/globals';
import { actorKeys, actors } from '@po/testing/actors';
import { ActorSigner, ActorVerifier, FOR_QUERIES } from './actor-token.js';

const COMMAND = 'digest-of-one-command';

describe('the signed actor', () => {
  it('verifies to the signed actor, and is cached for queries until its renewal', async () => {
    const { signer, verifier } = await actorKeys();
    const now = Date.now();
    const token = signer.sign(actors.acme, FOR_QUERIES, now);
    await expect(verifier.verify(token, FOR_QUERIES, now)).resolves.toEqual(actors.acme);
    expect(signer.sign({ ...actors.acme }, FOR_QUERIES, now + 40_000)).toBe(token);
    expect(signer.sign(actors.acme, FOR_QUERIES, now + 46_000)).not.toBe(token);
  });

  it('is refused when missing, forged, altered or expired, even if it was cached', async () => {
    const { signer, verifier } = await actorKeys();
    const now = Date.now();
    const token = signer.sign(actors.acme, FOR_QUERIES, now);
    const forged = (await actorKeys()).signer.sign(actors.admin, FOR_QUERIES, now);
    const [head, , signature] = token.split('.');
    const altered = [head, Buffer.from(JSON.stringify({ actor: actors.admin })).toString('base64url'), signature].join(
      '.',
    );
    for (const bad of [undefined, '', 'x', forged, altered])
      await expect(verifier.verify(bad, FOR_QUERIES, now)).rejects.toBeInstanceOf(Error);
    await verifier.verify(token, FOR_QUERIES, now);
    await expect(verifier.verify(token, FOR_QUERIES, now + 71_000)).rejects.toBeInstanceOf(Error);
  });

  it('is valid only for the purpose it was signed for', async () => {
    const { signer, verifier } = await actorKeys();
    const signed = { query: signer.sign(actors.acme, FOR_QUERIES), command: signer.sign(actors.acme, COMMAND) };
    await expect(verifier.verify(signed.query, FOR_QUERIES)).resolves.toEqual(actors.acme);
    await expect(verifier.verify(signed.command, COMMAND)).resolves.toEqual(actors.acme);
    for (const [token, purpose] of [
      [signed.query, COMMAND],
      [signed.command, FOR_QUERIES],
      [signed.command, 'digest-of-another'],
    ] as const) {
      await expect(verifier.verify(token, purpose)).rejects.toThrow('signed for another message');
    }
  });

  it('is valid for a command only for the deadline plus the clock tolerance', async () => {
    const { signer, verifier } = await actorKeys();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const token = signer.sign(actors.acme, COMMAND, now);
    await expect(verifier.verify(token, COMMAND, now + 24_000)).resolves.toEqual(actors.acme);
    await expect(verifier.verify(token, COMMAND, now + 25_000)).rejects.toThrow('"exp" claim');
  });

  it('is invalid without a purpose', async () => {
    const { verifier, signWithoutPurpose } = await actorKeys();
    const token = signWithoutPurpose(actors.acme);
    for (const purpose of [FOR_QUERIES, COMMAND]) {
      await expect(verifier.verify(token, purpose)).rejects.toThrow('signed for another message');
    }
  });

  it('is accepted with a clock difference of up to 10 s and refused with a larger one', async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    for (const offBy of [-10_000, 69_000]) {
      const { signer, verifier } = await actorKeys();
      const token = signer.sign(actors.acme, FOR_QUERIES, now);
      await expect(verifier.verify(token, FOR_QUERIES, now + offBy)).resolves.toEqual(actors.acme);
    }
    for (const offBy of [-11_000, 71_000]) {
      const { signer, verifier } = await actorKeys();
      const token = signer.sign(actors.acme, FOR_QUERIES, now);
      await expect(verifier.verify(token, FOR_QUERIES, now + offBy)).rejects.toThrow(/"(iat|exp)" claim/);
    }
  });

  it('is signed again for queries after the clock was set back', async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const { signer, verifier } = await actorKeys();
    const ahead = signer.sign(actors.acme, FOR_QUERIES, now + 300_000);
    const token = signer.sign(actors.acme, FOR_QUERIES, now);
    expect(token).not.toBe(ahead);
    await expect(verifier.verify(token, FOR_QUERIES, now)).resolves.toEqual(actors.acme);
  });

  it('can be verified with either of two keys during a key rotation', async () => {
    const privateKeys = [await generate('one'), await generate('two')];
    const verifier = new ActorVerifier({ keys: privateKeys.map(({ d: _secret, ...publicKey }) => publicKey) });
    for (const key of privateKeys) {
      const token = ActorSigner.create(key).sign(actors.buyer, FOR_QUERIES);
      await expect(verifier.verify(token, FOR_QUERIES)).resolves.toEqual(actors.buyer);
    }
  });

  it('can only be signed with a private Ed25519 key that has a kid', () => {
    expect(() => ActorSigner.create({ kty: 'OKP', crv: 'Ed25519', x: 'a' })).toThrow(/private Ed25519 JWK with a kid/);
  });
});

async function generate(kid: string): Promise<Record<string, unknown>> {
  const { privateKey } = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', privateKey);
  return { kty, crv, x, d, kid, alg: 'EdDSA' };
}
