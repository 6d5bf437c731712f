import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';

/** A private JSON Web Key with a `kid`. */
export interface PrivateJwk {
  [member: string]: unknown;
  kid: string;
}

export interface Keys {
  /** RS256 key that signs the tokens of demo users. */
  identity: PrivateJwk;
  /** Ed25519 key with which the gateway signs the actor header. */
  actor: PrivateJwk;
}

const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi']);

/** Loads the keys of this folder, or creates them once, so that tokens outlive a restart. */
export async function loadKeys(dir: string): Promise<Keys> {
  const file = join(dir, 'keys.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept) return JSON.parse(kept) as Keys;
  const keys: Keys = {
    identity: {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      kid: randomUUID(),
      alg: 'RS256',
      use: 'sig',
    },
    actor: { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'EdDSA' },
  };
  await mkdir(dir, { recursive: true });
  replaceFile(file, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

/** Public part of a key. */
export const publicPart = (key: PrivateJwk): Record<string, unknown> =>
  Object.fromEntries(Object.entries(key).filter(([member]) => !PRIVATE_MEMBERS.has(member)));
