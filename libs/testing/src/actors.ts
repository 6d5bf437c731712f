import { generateKeyPairSync, sign } from 'node:crypto';
import type { Actor } from '@po/contracts';
import { ActorSigner, ActorVerifier } from '@po/platform';

interface ActorKeys {
  signer: ActorSigner;
  verifier: ActorVerifier;
  /** An actor token without a purpose. */
  signWithoutPurpose: (actor: Actor) => string;
}

const encoded = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url');

/** A signer and the verifier that trusts it, with a new key. */
export async function actorKeys(): Promise<ActorKeys> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const kid = 'test';
  return {
    signer: ActorSigner.create({ ...privateKey.export({ format: 'jwk' }), kid }),
    verifier: new ActorVerifier({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA' }] }),
    signWithoutPurpose: (actor) => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = { actor, aud: 'po-services', iat, exp: iat + 60 };
      const input = `${encoded({ alg: 'EdDSA', kid })}.${encoded(claims)}`;
      return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
    },
  };
}

export const actors = {
  acme: {
    sub: 'u-acme',
    email: 'li.wei@acme.example',
    name: 'Li Wei',
    role: 'VENDOR',
    vendorCode: 'ACME',
    locale: 'zh',
  },
  bolt: {
    sub: 'u-bolt',
    email: 'ana@bolt.example',
    name: 'Ana Souza',
    role: 'VENDOR',
    vendorCode: 'BOLT',
    locale: 'en',
  },
  buyer: {
    sub: 'u-buyer',
    email: 'buyer@example.com',
    name: 'Dana Reyes',
    role: 'BUYER',
    vendorCode: null,
    locale: 'en',
  },
  admin: {
    sub: 'u-admin',
    email: 'admin@example.com',
    name: 'Sam Okafor',
    role: 'ADMIN',
    vendorCode: null,
    locale: 'en',
  },
  viewer: {
    sub: 'u-viewer',
    email: 'viewer@example.com',
    name: 'Kim Park',
    role: 'VIEWER',
    vendorCode: null,
    locale: 'en',
  },
} as const satisfies Record<string, Actor>;
